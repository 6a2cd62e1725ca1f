// Minimal is the least that does what tricode does without a question: it sends a task, prints the answer while it
// arrives and runs every command that the model asks for. With -read it only reads and decodes. The benchmark holds
// tricode against it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
)

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Calls   []call `json:"tool_calls,omitempty"`
	CallID  string `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
			Calls   []call `json:"tool_calls"`
		} `json:"delta"`
	} `json:"choices"`
}

func main() {
	if os.Args[1] == "--version" {
		fmt.Println("minimal 1")
		return
	}
	if os.Args[1] == "-read" {
		complete(os.Args[2], []message{{Role: "user", Content: "task"}}, io.Discard)
		return
	}
	messages := []message{{Role: "user", Content: os.Args[2]}}
	for {
		m := complete(os.Args[1], messages, os.Stdout)
		messages = append(messages, m)
		if len(m.Calls) == 0 {
			return
		}
		for _, c := range m.Calls {
			messages = append(messages, message{Role: "tool", CallID: c.ID, Content: run(c.Function.Arguments)})
		}
	}
}

func complete(url string, messages []message, out io.Writer) message {
	body, err := json.Marshal(map[string]any{"model": "m", "stream": true, "messages": messages})
	check(err)
	resp, err := http.Post(url+"/chat/completions", "application/json", bytes.NewReader(body))
	check(err)
	defer resp.Body.Close()
	m := message{Role: "assistant"}
	var text bytes.Buffer
	for lines := bufio.NewReader(resp.Body); ; {
		line, err := lines.ReadBytes('\n')
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok && data[0] == '{' {
			var c chunk
			check(json.Unmarshal(data, &c))
			for _, choice := range c.Choices {
				io.WriteString(out, choice.Delta.Content)
				text.WriteString(choice.Delta.Content)
				m.Calls = append(m.Calls, choice.Delta.Calls...)
			}
		}
		if err == io.EOF {
			m.Content = text.String()
			return m
		}
		check(err)
	}
}

// run runs a command and keeps the beginning of what it prints.
func run(arguments string) string {
	var in struct{ Command string }
	check(json.Unmarshal([]byte(arguments), &in))
	cmd := exec.Command("bash", "--norc", "--noprofile", "-c", in.Command)
	out, err := cmd.StdoutPipe()
	check(err)
	check(cmd.Start())
	head := make([]byte, 16<<10)
	n, _ := io.ReadFull(out, head)
	io.Copy(io.Discard, out)
	cmd.Wait()
	return string(head[:n])
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
