package model

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Bounds are what every model is asked with. Zero bounds get defaults.
type Bounds struct {
	Field     string   // where they are configured, for messages
	Model     string   // as the server names it
	BaseURL   string   // of the API
	Effort    string   // "" = the model's own
	Efforts   []string // that the API knows
	MaxTokens int      // of one draft; 0 = 4096
	Timeout   time.Duration
	Idle      time.Duration
}

// Settle sets the defaults of what is zero: tokens, timeout and silence.
func Settle(maxTokens *int, timeout, idle *time.Duration) {
	if *maxTokens == 0 {
		*maxTokens = 4096
	}
	if *timeout == 0 {
		*timeout = time.Minute
	}
	if *idle == 0 {
		*idle = DefaultIdle
	}
}

// Check names the field that is wrong.
func (b Bounds) Check() error {
	u, err := url.Parse(b.BaseURL)
	switch {
	case strings.TrimSpace(b.Model) == "":
		return fmt.Errorf("%s.model: name the model", b.Field)
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return fmt.Errorf("%s.baseURL: %q is no http or https URL", b.Field, b.BaseURL)
	case b.Effort != "" && !slices.Contains(b.Efforts, b.Effort):
		return fmt.Errorf("%s.effort: %q is none of %s", b.Field, b.Effort, strings.Join(b.Efforts, ", "))
	case b.MaxTokens < 0:
		return fmt.Errorf("%s.maxTokens: %d is below 1", b.Field, b.MaxTokens)
	case b.Timeout < 0, b.Idle < 0:
		return fmt.Errorf("%s.timeout: is below zero", b.Field)
	}
	return nil
}
