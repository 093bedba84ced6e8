import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { positive, seed, whole } from '../commands/flag-values.ts';
import { loadSections } from '../runner/sections.ts';
import { timeLeft } from '../runner/time-left.ts';
import { chosenOf, loadCorpus, roomOf, type Subject } from './corpus.ts';
import { drawn } from './draw.ts';
import type { Fault } from './fault.ts';
import { type Kill, kill } from './kill.ts';
import { type Notice, notice } from './notice.ts';
import { staleness } from './slip.ts';

/**
 * Plays every faulty server of the corpus, those of a room or a file of it, or else those whose name has the given words
 * in it, and tells how many are noticed: `node conformance/corpus/main.ts [words] [--draw N] [--seed N] [--only]
 * [--oracle SECONDS] [--alone] [--patience MS]`. With --draw so many are drawn from those that show in what any client
 * sends, by --seed. With --only just the chapters that each offends are played; with --oracle those that survive are
 * compared with the reference for so long, and with --alone no rule is played before that; --patience is how long to wait
 * for what should come at once, more on a busy machine.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    draw: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'boolean' },
    oracle: { type: 'string' },
    alone: { type: 'boolean' },
    patience: { type: 'string' },
  },
});
// Each fault has threads of servers that load nearly the same files.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'touchstone'));

const { draw: drawing, patience: waiting, oracle: comparing } = values;
const draw = drawing === undefined ? undefined : whole('draw', drawing, 1, 100_000);
const patience = waiting === undefined ? undefined : whole('patience', waiting, 1, 600_000);
const chance = seed('seed', values.seed);
const oracle = comparing === undefined ? undefined : positive('oracle', comparing);
const named = chosenOf(await loadCorpus(), positionals.join(' '));
const chosen = draw === undefined ? named : drawn(named, draw, chance);
const rules = (await loadSections()).flatMap((section) => section.rules);

interface Fate extends Kill {
  readonly noticed?: Notice;
}

/** A fate, and where the fault stands. */
interface Played extends Fate {
  readonly subject: Subject;
}

/** What the rule saw, in a line. */
const sawIn = ({ finding }: NonNullable<Kill['by']>): string =>
  (finding?.message ?? '').replaceAll(/\s+/g, ' ').slice(0, 160);

const line = ({ fault, by, played, noticed }: Fate): string => {
  if (by) return `killed   ${fault.name}: ${by.id} (${played} rules): ${sawIn(by)}`;
  if (noticed?.differs) return `DIFFERS  ${fault.name}: ${noticed.differs} (${noticed.comparisons} answers)`;
  return `SURVIVES ${fault.name} (${played} rules${noticed ? `, ${noticed.comparisons} answers` : ''})`;
};

async function fateOf(fault: Fault): Promise<Fate> {
  const chapters = rules.filter(({ id }) => !values.only || fault.chapters.includes(id.split('.')[0] ?? ''));
  const killed = values.alone ? { fault, played: 0 } : await kill(fault, chapters, patience);
  if (killed.by || oracle === undefined) return killed;
  return { ...killed, noticed: await notice(fault, oracle * 1000) };
}

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))} %`;

/** How wide the names of tallies are. */
const tallied = Math.max(...chosen.map(({ name }) => name.length), 0);

/** How many of these were noticed, in a line. */
function tally(name: string, fates: readonly Fate[]): string {
  const byRules = fates.filter(({ by }) => by).length;
  const all = fates.filter(({ by, noticed }) => by || noticed?.differs).length;
  const beside = oracle === undefined ? '' : `; with the oracle ${all}, ${percent(all, fates.length)}`;
  return `${name.padEnd(tallied)} ${byRules} of ${fates.length} by rules, ${percent(byRules, fates.length)}${beside}`;
}

const total = chosen.reduce((sum, { faults }) => sum + faults.length, 0);

/** A line for good, and on a terminal one below it that tells how far this is. */
function tell(text: string, played: number): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  process.stdout.write(`${text}\n`);
  if (process.stderr.isTTY)
    process.stderr.write(`${played}/${total} servers${timeLeft(played, total, performance.now())}`);
}

const fates: Played[] = [];
let stale = 0;
for (const subject of chosen) {
  for (const fault of subject.faults) {
    const why = fault.edits?.map(staleness).find(Boolean);
    if (why) {
      stale += 1;
      tell(`STALE    ${fault.name}: ${why}`, fates.length + stale);
      continue;
    }
    const fate = await fateOf(fault);
    fates.push({ ...fate, subject });
    tell(line(fate), fates.length + stale);
  }
}

/** A tally for each of the names that a fate goes by. */
function tallies(namesOf: (fate: Played) => readonly string[]): string {
  const names = [...new Set(fates.flatMap(namesOf))].sort();
  const of = (name: string): readonly Fate[] => fates.filter((fate) => namesOf(fate).includes(name));
  return names.map((name) => tally(name, of(name))).join('\n');
}

const inOneRoom = new Set(chosen.map(roomOf)).size === 1;
const byPlace = tallies(({ subject }) => [inOneRoom ? subject.name : roomOf(subject)]);
const byChapter = tallies(({ fault }) => fault.chapters);
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
process.stdout.write(`\n${byPlace}\n\n${byChapter}\n\n${tally('all', fates)}\n`);
// Whoever was halted may have left a server of its own behind.
process.exit(stale > 0 ? 1 : 0);
