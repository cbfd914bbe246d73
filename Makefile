# Everything a person types. `make demo` and `make test` do all their set-up.
