package config

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"
)

// Tables decodes a TOML file of someone else: tables are map[string]any, arrays []any, whole numbers int64. Like a
// configuration file it is refused if it is large.
func Tables(data []byte) (map[string]any, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("it has more than %d bytes", maxFile)
	}
	var tables map[string]any
	err := toml.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), &tables)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return nil, fmt.Errorf("it is not TOML: line %d, column %d: %s", line, column, explain(at))
	}
	return tables, err
}
