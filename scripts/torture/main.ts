#!/usr/bin/env node
// `npm run torture`: servers are killed in the middle of writes, etcd is killed, paused and compacted, lines are cut; then
// all that clients saw is checked. Exit 1 when a promise was broken.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noSuch } from '../../mistyped.ts';
import { withoutEtcd } from '../../server/store/etcd/etcd-process.fixture.ts';
import { given, mistaken, numberGiven } from '../given.ts';
import { removeFolder } from '../remove-folder.ts';
import { playRound, type RoundReport } from './round.ts';
import { venues as allVenues, type VenueName } from './venues.ts';

const { values } = given('torture', {
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '6' },
    /** Of each round. */
    faults: { type: 'string', default: '25' },
    venue: { type: 'string', default: 'data-dir,etcd,etcd-cluster' },
    report: { type: 'string' },
  },
});

// Whatever ends it, servers and etcd end with it, and nothing stays behind.
const folder = mkdtempSync(join(tmpdir(), 'touchstone-torture-'));
process.env.TMPDIR = folder;
process.once('exit', () => removeFolder(folder));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const reports: RoundReport[] = [];
const unknown = values.venue.split(',').find((venue) => !Object.hasOwn(allVenues, venue));
if (unknown !== undefined)
  mistaken(
    'torture',
    `${noSuch('venue', unknown, Object.keys(allVenues))}; there are ${Object.keys(allVenues).join(', ')}`,
  );
const venues = values.venue.split(',').filter((venue) => !venue.startsWith('etcd') || !withoutEtcd) as VenueName[];
if (withoutEtcd && values.venue.includes('etcd')) console.log(`etcd is left out: ${withoutEtcd}`);

const firstSeed = numberGiven('torture', 'seed', values.seed, 'from 0 up');
const rounds = numberGiven('torture', 'rounds', values.rounds);
const faults = numberGiven('torture', 'faults', values.faults);
for (let round = 0; round < rounds; round++) {
  const venue = venues[round % venues.length];
  if (!venue) break;
  const seed = firstSeed + round;
  const report = await playRound({ venue, seed, faults });
  reports.push(report);
  const { done, refused, lost } = report.writes;
  console.log(
    `seed ${seed}, ${venue}: ${done} writes done, ${refused} refused, ${lost} without an answer; ${report.seconds} s`,
  );
  for (const [name, times] of Object.entries(report.faults)) console.log(`  ${times} × ${name}`);
  for (const { promise, what } of report.violations) console.log(`  BROKEN: ${promise}: ${what}`);
}

if (values.report) writeFileSync(values.report, `${JSON.stringify({ seed: firstSeed, rounds: reports }, null, 2)}\n`);
const broken = reports.reduce((sum, { violations }) => sum + violations.length, 0);
console.log(`${reports.length} rounds, ${broken} promises broken; again with --seed ${firstSeed}`);
process.exitCode = broken > 0 || reports.length === 0 ? 1 : 0;
