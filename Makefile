# What developers run; .ci/run runs check and the tests, too.
TOOL  := go tool -modfile=tools/go.mod
# The real-Kafka harness and the bench lie under testdata/, which ./... leaves out.
HARNESS := ./testdata/kafka ./testdata/bench
T     ?= 30s
COUNT ?= 6

N     ?= 200000
SEED  ?= 1

.PHONY: check format vet staticcheck test it oracle bench benchstat fuzz

check: format vet staticcheck

format:
	@files=$$($(TOOL) gofumpt -l .) || exit 1; \
	if [ -n "$$files" ]; then echo "not gofumpt-clean:"; echo "$$files"; exit 1; fi

vet:
	go vet ./... $(HARNESS)

staticcheck:
	$(TOOL) staticcheck ./... $(HARNESS)

test:
	@command -v java >/dev/null && command -v mvn >/dev/null && command -v kcat >/dev/null || \
		echo "*** java, mvn or kcat is missing: tests against real Kafka are SKIPPED" >&2
	go test -timeout 25m ./...

# The tests that need a real broker; here a missing Java or Maven is a failure.
it:
	KOFFSETS_REQUIRE_KAFKA=1 go test -count=1 -timeout 25m -v -run '^TestReal' ./...

# N generated keys, a quarter as many values and one whole topic to 2500 keys
# through the classes of every release; SEED tells them from those of another run.
oracle:
	KOFFSETS_REQUIRE_KAFKA=1 KOFFSETS_ORACLE_N=$(N) KOFFSETS_ORACLE_SEED=$(SEED) \
		go test -count=1 -timeout 2h -v -run '^TestRealClasses' ./cmd

# Each bar of cost as a ratio measured in one run.
bench:
	go run ./testdata/bench

# The Go benchmarks, told apart from noise.
benchstat:
	@figures=$$(mktemp); trap 'rm -f "$$figures"' EXIT; \
	go test -run '^$$' -bench . -benchmem -count $(COUNT) ./... >"$$figures" || { cat "$$figures"; exit 1; }; \
	$(TOOL) benchstat "$$figures"

# Every fuzz target for T each.
fuzz:
	@for pkg in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "== $$pkg $$target $(T)"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(T) -fuzzminimizetime 10x $$pkg || exit 1; \
		done; \
	done
