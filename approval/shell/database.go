package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

// databases are clients that take statements as words or from their standard input.
var databases = map[string]bool{
	"psql": true, "mysql": true, "mariadb": true, "sqlite3": true, "sqlcmd": true, "sqlplus": true, "duckdb": true, "clickhouse-client": true,
	"cqlsh": true, "mongosh": true, "mongo": true, "redis-cli": true, "bq": true, "usql": true, "pgcli": true, "mycli": true, "litecli": true,
	"cockroach": true, "clickhouse": true, "snowsql": true, "trino": true, "presto": true, "isql": true, "tsql": true, "turso": true,
}

// relays are programs that run what their words name in another place.
var relays = map[string]bool{"docker": true, "podman": true, "nerdctl": true, "docker-compose": true, "kubectl": true, "oc": true, "ssh": true}

// toDatabase are the words that a client of a database is given, by its own name or somewhere else; nil if there is none.
func toDatabase(program string, rest []word) []word {
	if databases[program] {
		return rest
	}
	for i, x := range rest {
		if relays[program] && slices.ContainsFunc(strings.Fields(x.text), func(s string) bool { return databases[programName(s)] }) {
			return rest[i:]
		}
	}
	return nil
}

// feed is where standard input comes from: a pipe or a here-document, and the subjects of the commands that write to it.
type feed struct {
	from       syntax.Node // nil: it is not known
	first, end int
}

// fedStatements finds what loses data in the standard input of a client of a database.
func (w *walker) fedStatements() (approval.Effects, string) {
	if w.fed.from == nil {
		return 0, ""
	}
	var all []word
	for _, s := range w.out.Subjects[w.fed.first:w.fed.end] {
		all = append(all, words(s.Args)...)
	}
	syntax.Walk(w.fed.from, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Redirect); ok {
			for _, text := range []*syntax.Word{r.Hdoc, r.Word} {
				if text != nil {
					all = append(all, literal(strings.Trim(w.slice(text), `'"`)))
				}
			}
		}
		return true
	})
	return lossy(all)
}

// lossy finds statements that lose data.
func lossy(texts []word) (approval.Effects, string) {
	for _, x := range texts {
		for statement := range strings.SplitSeq(x.text, ";") {
			sql := " " + strings.Join(strings.Fields(strings.ToUpper(uncommented(statement))), " ") + " "
			switch {
			case strings.Contains(sql, "DROP "), strings.Contains(sql, ".DROP("), strings.Contains(sql, "DROPDATABASE"):
				return approval.Dangerous, "drops data"
			case strings.Contains(sql, "TRUNCATE "):
				return approval.Dangerous, "empties a table"
			case strings.Contains(sql, "DELETE FROM") && !strings.Contains(sql, " WHERE "), strings.Contains(sql, "FLUSHALL"), strings.Contains(sql, "FLUSHDB"), strings.Contains(sql, "DELETEMANY({})"):
				return approval.Dangerous, "deletes all rows"
			}
		}
	}
	return 0, ""
}

// uncommented is a statement without its comments, which reach from -- and a blank to the end of a line.
func uncommented(statement string) string {
	if !strings.Contains(statement, "-- ") {
		return statement
	}
	var kept strings.Builder
	for line := range strings.Lines(statement) {
		before, _, _ := strings.Cut(line, "-- ")
		kept.WriteString(before + "\n")
	}
	return kept.String()
}
