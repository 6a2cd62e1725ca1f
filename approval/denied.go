package approval

// Denied is the error of an action that was not performed.
type Denied struct {
	Tool     string
	Summary  string
	Decision Decision
	By       By
	End      bool // the run must end
}

func (d *Denied) Error() string { return "denied: " + d.Decision.Reason }

// By says who decided about an action.
type By int

// Who can decide.
const (
	ByPolicy By = iota
	ByPerson
	ByHook
	ByNobody // a person was needed and none was there
	ByRepeat // a person denied the same before, and the model tried again once too often
)

func (b By) String() string { return [...]string{"policy", "person", "hook", "nobody", "repeat"}[b] }

// MarshalText gives the form that logs and JSON carry, the same as String.
func (b By) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// RecordError says that something could not be recorded and therefore did not happen.
type RecordError struct{ Err error }

func (e *RecordError) Error() string { return e.Err.Error() }

// Unwrap returns why.
func (e *RecordError) Unwrap() error { return e.Err }
