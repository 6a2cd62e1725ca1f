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
			everything := !strings.Contains(sql, " WHERE ") || strings.HasSuffix(sql, " WHERE TRUE ") || strings.HasSuffix(sql, " WHERE 1=1 ") || strings.HasSuffix(sql, " WHERE 1 = 1 ") || strings.HasSuffix(sql, " WHERE 1 ")
			switch {
			case strings.Contains(sql, "DROP "), strings.Contains(sql, ".DROP("), strings.Contains(sql, "DROPDATABASE"):
				return approval.Dangerous, "drops data"
			case strings.Contains(sql, "TRUNCATE "):
				return approval.Dangerous, "empties a table"
			case strings.Contains(sql, "DELETE FROM") && everything, strings.Contains(sql, "FLUSHALL"), strings.Contains(sql, "FLUSHDB"), strings.Contains(sql, "DELETEMANY({})"), strings.Contains(sql, ".REMOVE({})"):
				return approval.Dangerous, "deletes all rows"
			case strings.Contains(sql, "UPDATE ") && strings.Contains(sql, " SET ") && everything:
				return approval.Dangerous, "changes all rows"
			case strings.Contains(sql, " SHUTDOWN "):
				return approval.Dangerous, "stops a database"
			}
		}
	}
	return 0, ""
}

// uncommented is a statement without its comments: from -- and a blank to the end of a line, and between /* and */.
func uncommented(statement string) string {
	for {
		before, rest, some := strings.Cut(statement, "/*")
		if !some {
			break
		}
		_, after, _ := strings.Cut(rest, "*/")
		statement = before + " " + after
	}
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

// databaseExits are the commands and functions by which clients start programs, read and write files, in lower case; those that begin
// with a dot or stand alone begin a line. Sources: the programs' manuals.
var databaseExits = map[string][]string{
	"sqlite3": {".sh", ".sys", ".out", ".once", ".excel", ".backup", ".save", ".clone", ".read", ".import", ".open", ".log", ".load", ".ar", ".restore", ".trace", ".cd", "writefile(", "readfile(", "edit(", "load_extension(", "attach ", "into "},
	"duckdb":  {".sh", ".sys", ".out", ".once", ".excel", ".backup", ".save", ".clone", ".read", ".import", ".open", ".log", "attach ", "copy ", "export ", "import ", "install ", "load ", "read_", "glob("},
	"psql":    {`\!`, `\o`, `\w`, `\g`, `\i`, `\e`, `\s`, `\copy`, `\cd`, `\lo`, `\watch`, "program", " to '", " from '", "pg_read", "pg_ls", "lo_import", "lo_export", "dblink"},
	"mysql":   {`\!`, `\.`, `\t`, `\p`, "system ", "source ", "tee ", "pager ", "outfile", "dumpfile", "load data", "load_file", "load xml"},
}

// leavesDatabase reports whether a text makes a client start programs, read or write files.
func leavesDatabase(program, text string) bool {
	if program == "mariadb" {
		program = "mysql"
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	return slices.ContainsFunc(databaseExits[program], func(exit string) bool {
		if exit[0] == '.' {
			return strings.HasPrefix(text, exit)
		}
		return strings.Contains(text, exit)
	})
}
