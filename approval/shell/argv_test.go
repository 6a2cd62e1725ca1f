package shell

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tricode/approval"
)

// Arguments and the text that says the same are the same commands and files.
func TestArgumentsAreAsTheText(t *testing.T) {
	d := project(t)
	for _, args := range [][]string{
		{"ls", "-la"}, {"rm", "-rf", "src", "x"}, {"sudo", "env", "A=1", "rm", "a.txt"}, {"cat", "keys/.env"}, {"cp", "a.txt", "src"}, {"tee", "-a", "/etc/x"}, {"find", ".", "-name", "x", "-exec", "rm", "{}", ";"},
		{"git", "push", "-f"}, {"git", "-C", "src", "log"}, {"sh", "-c", "rm x > y"}, {"xargs", "rm"}, {"tar", "xf", "a.txt", "-C", "src"}, {"grep", "-r", "x"}, {"nosuchprogram", "a.txt"}, {"sort", "-o", "a.txt", "b.txt"}, {"dd", "of=x"},
	} {
		quoted := make([]string, len(args))
		for i, a := range args {
			quoted[i] = "'" + a + "'"
		}
		want, got := Analyze("command exec "+strings.Join(quoted, " "), d), Arguments(d, d.work, "", args)
		want.Subjects, want.Commands = want.Subjects[2:], want.Commands[2:]
		if g, w := told(got), told(want); !slices.Equal(g, w) {
			t.Errorf("%q\n got %q\nwant %q", args, g, w)
		}
	}
}

// told are the subjects of an analysis as lines.
func told(a Analysis) []string {
	var all []string
	for _, s := range a.Subjects {
		all = append(all, fmt.Sprint(s.Effects, " ", s, " ", s.Why, " ", s.Tree))
	}
	return all
}

// A directory is where names are looked for, and commands know it.
func TestArgumentsInADirectory(t *testing.T) {
	d := project(t)
	a := Arguments(d, d.work+"/out", "/usr/bin/cat", []string{"cat", "secret.txt"})
	if got, want := told(a), "outside/secret.txt"; !strings.Contains(fmt.Sprint(got), want) || a.Commands[0].Dir != strings.TrimSuffix(d.work, "work")+"outside" || a.Commands[0].Program != "/usr/bin/cat" {
		t.Errorf("%q in %s; want %s", got, a.Commands[0].Dir, want)
	}
}

// What a shell does itself is followed as in a text.
func TestArgumentsOfTheShellItself(t *testing.T) {
	d := project(t)
	for args, want := range map[string]string{"command rm x": "command rm x|rm x", "eval rm x": "eval rm x|rm x", ". ./x": ". ./x", "cd ..": "cd .."} {
		if got := strings.Join(commands(Arguments(d, d.work, "", strings.Fields(args))), "|"); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// A link to a program is that program, except where the system has it or the program is many.
func TestArgumentsByTheRealName(t *testing.T) {
	d := project(t)
	for link, to := range map[string]string{"x": "/usr/bin/rm", "many": "/usr/bin/busybox"} {
		if err := os.Symlink(to, d.work+"/bin/"+link); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		program string
		args    []string
		want    string
	}{
		{"bin/x", []string{"./x", "-rf", "a.txt"}, "./x -rf a.txt|/usr/bin/rm -rf a.txt"},
		{"bin/many", []string{"many", "rm"}, "many rm"},
		{"/usr/bin/rm", []string{"innocent", "-f", "a.txt"}, "innocent -f a.txt|/usr/bin/rm -f a.txt"},
		{"/usr/bin/ls", []string{"ls"}, "ls"},
	} {
		if !strings.HasPrefix(test.program, "/") {
			test.program = d.work + "/" + test.program
		}
		if got := strings.Join(commands(Arguments(d, d.work, test.program, test.args)), "|"); got != test.want {
			t.Errorf("%s %q: %q, want %q", test.program, test.args, got, test.want)
		}
	}
}

// What another program than the one of that name would do is not what the table says.
func TestArgumentsOfWhatIsFound(t *testing.T) {
	d := project(t)
	d.ours = []string{d.work + "/bin/ls"}
	if a := Arguments(d, d.work, d.work+"/bin/ls", []string{"ls"}); !a.Commands[0].Foreign || effectsOf(a).Only(approval.Read) {
		t.Errorf("%+v", a)
	}
}

// Many arguments are all looked at; too many are unknown, and soon.
func TestManyArguments(t *testing.T) {
	d := project(t)
	args := make([]string, 0, 60_001)
	for args = append(args, "rm"); len(args) < cap(args); {
		args = append(args, fmt.Sprintf("f%d", len(args)))
	}
	start := time.Now()
	a := Arguments(d, d.work, "/usr/bin/rm", append(args[:20_000:20_000], ".git/config"))
	if last := a.Subjects[len(a.Subjects)-1]; len(a.Subjects) != 20_001 || last.Rel != ".git/config" || last.Effects != approval.Delete {
		t.Errorf("%d subjects, the last is %+v", len(a.Subjects), last)
	}
	if a = Arguments(d, d.work, "/usr/bin/rm", args); a.Subjects[len(a.Subjects)-1].Effects != 0 {
		t.Error("too many are known")
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

func TestRedirects(t *testing.T) {
	d := project(t)
	for name, want := range map[string]string{
		"a.txt": "write " + d.work + "/a.txt", "hooks/x": "write " + d.work + "/.git/hooks/x", "/dev/null": "read ", "/dev/tcp/a/1": "exec-opaque, network /dev/tcp/a/1", "": "read ",
	} {
		if got := told(Redirect(d, d.work, name, approval.Write)); !strings.HasPrefix(got[0], want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// broken is a Resolver with a mistake.
type broken struct{ disk }

func (broken) Resolve(string) Place { panic("mistake") }

// A mistake lets nothing through.
func TestArgumentsThatCannotBeAnalysed(t *testing.T) {
	for name, a := range map[string]Analysis{
		"program":  Arguments(broken{project(t)}, "/", "/usr/bin/cat", []string{"cat", "x"}),
		"redirect": Redirect(broken{project(t)}, "/", "x", approval.Read),
	} {
		if len(a.Subjects) != 1 || a.Subjects[0].Effects != 0 {
			t.Errorf("%s: %+v", name, a.Subjects)
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, args := range []string{"rm\n-rf\nx", "env\n-S\na b\nc", "xargs\nsh\n-c\nx", "find\n.\n-exec\n{}\n;", "git\n-C\nx\npush", "tar\nxf", "\n", "sudo", "sh\n-c\n$(x)", "sort\n--=x", "--"} {
		f.Add(args)
	}
	f.Fuzz(func(t *testing.T, args string) {
		a := Arguments(nowhere{}, "/work", "", strings.Split(args, "\n"))
		if len(a.Subjects) == 0 || a.Subjects[0].Why == crashed {
			t.Errorf("%+v", a)
		}
	})
}
