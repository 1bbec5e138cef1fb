package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"

	"koffsets/offsetstore"
	"koffsets/offsetstore/kafka"
	"koffsets/release"

	"github.com/twmb/franz-go/pkg/kgo"
)

// drain is the plainest program that gets all records: it polls and counts.
func drain(addr string, t topic) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.ConsumeTopics(t.name), kgo.DisableClientMetrics())
	if err != nil {
		return err
	}
	for n := 0; n < t.records; {
		fetches := client.PollFetches(context.Background())
		if err := fetches.Err(); err != nil {
			return err
		}
		n += fetches.NumRecords()
	}
	return nil // the process ends; a Close would wait for the fetches under way
}

// source hands all records to a sink that keeps nothing.
func source(addr string, t topic) error {
	n := 0
	src := kafka.New(kafka.Config{Bootstrap: []string{addr}, Topic: t.name})
	_, err := src.Read(context.Background(), func(_ *offsetstore.Description, records []offsetstore.Record) error {
		n += len(records)
		return nil
	})
	return counted(n, t, err)
}

// fold is what koffsets scan does short of printing.
func fold(addr string, t topic) error {
	src := kafka.New(kafka.Config{Bootstrap: []string{addr}, Topic: t.name})
	v, err := offsetstore.Read(context.Background(), src, offsetstore.Options{Release: release.MustParse(release.Default)})
	if err != nil {
		return err
	}
	v.Findings(offsetstore.FindingOptions{})
	return counted(v.Summary.Records, t, nil)
}

func counted(n int, t topic, err error) error {
	if err == nil && n != t.records {
		err = fmt.Errorf("%d records of %d", n, t.records)
	}
	return err
}

// read is the process of one reading program; profile, if not "", is the file
// for its CPU profile.
func read(how, addr, name, profile string) (err error) {
	program := map[string]func(string, topic) error{"drain": drain, "source": source, "fold": fold}[how]
	t, ok := topics[name]
	if program == nil || !ok {
		return fmt.Errorf("no way %s to read, or no topic %s", how, name)
	}
	if profile == "" {
		return program(addr, t)
	}
	f, err := os.Create(profile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return program(addr, t)
}
