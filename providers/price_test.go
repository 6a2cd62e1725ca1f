package providers

import "testing"

func TestCost(t *testing.T) {
	half := 0.5
	for _, tt := range []struct {
		model Model
		usage Usage
		want  float64
	}{
		{Model{}, Usage{Input: 5, Output: 5}, 0},
		{Model{InputPrice: 2, OutputPrice: 8}, Usage{Input: 1_000_000, Output: 500_000}, 6},
		{Model{InputPrice: 2, OutputPrice: 8}, Usage{Input: 1_000_000, Cached: 1_000_000}, 2},
		{Model{InputPrice: 2, CachedPrice: &half}, Usage{Input: 1_000_000, Cached: 500_000}, 1.25},
	} {
		if got := tt.model.Cost(tt.usage); got != tt.want {
			t.Errorf("%+v: Cost(%+v) = %v, want %v", tt.model, tt.usage, got, tt.want)
		}
	}
}
