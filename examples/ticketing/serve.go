package main

import (
	"context"
	"io"
)

func (k *desk) serve(ctx context.Context, o *options, stdout, stderr io.Writer) error { return nil }
