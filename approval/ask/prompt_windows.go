package ask

// edit lets a person edit a text, as the console does that for all programs.
func (k *talk) edit(prompt string, _ []string) (string, error) { return k.words(prompt) }

func (k *talk) words(prompt string) (string, error) { return k.line(prompt, false) }
