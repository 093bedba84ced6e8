import { parseArgs } from 'node:util';
import { loadSections } from '../runner/sections.ts';
import { timeLeft } from '../runner/time-left.ts';
import { corpus } from './corpus.ts';
import type { Fault } from './fault.ts';
import { type Kill, kill } from './kill.ts';
import { type Notice, notice } from './notice.ts';
import { staleness } from './slip.ts';

/**
 * Plays every faulty server of the corpus, or those whose name has the given words in it, and tells how many are
 * noticed: `node conformance/corpus/main.ts [words] [--only] [--oracle SECONDS] [--patience MS]`. With --only just
 * the chapters that each offends are played; with --oracle those that survive are compared with the reference for so
 * long; --patience is how long to wait for what should come at once, more on a busy machine.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'boolean' }, oracle: { type: 'string' }, patience: { type: 'string' } },
});
const wanted = positionals.join(' ');
const rules = (await loadSections()).flatMap((section) => section.rules);

interface Fate extends Kill {
  readonly noticed?: Notice;
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
  const killed = await kill(fault, chapters, values.patience === undefined ? undefined : Number(values.patience));
  if (killed.by || values.oracle === undefined) return killed;
  return { ...killed, noticed: await notice(fault, Number(values.oracle) * 1000) };
}

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))} %`;

/** How many of these were noticed, in a line. */
function tally(name: string, fates: readonly Fate[]): string {
  const byRules = fates.filter(({ by }) => by).length;
  const all = fates.filter(({ by, noticed }) => by || noticed?.differs).length;
  const oracle = values.oracle === undefined ? '' : `; with the oracle ${all}, ${percent(all, fates.length)}`;
  return `${name.padEnd(14)} ${byRules} of ${fates.length} by rules, ${percent(byRules, fates.length)}${oracle}`;
}

const chosenOf = (group: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.filter(({ name }) => name.includes(wanted) || group === wanted);

const total = Object.entries(corpus).reduce((sum, [group, faults]) => sum + chosenOf(group, faults).length, 0);

/** A line for good, and on a terminal one below it that tells how far this is. */
function tell(text: string, played: number): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  process.stdout.write(`${text}\n`);
  if (process.stderr.isTTY)
    process.stderr.write(`${played}/${total} servers${timeLeft(played, total, performance.now())}`);
}

const fates: Fate[] = [];
const groups: string[] = [];
let stale = 0;
for (const [group, faults] of Object.entries(corpus)) {
  const own: Fate[] = [];
  for (const fault of chosenOf(group, faults)) {
    const why = fault.edits?.map(staleness).find(Boolean);
    if (why) {
      stale += 1;
      tell(`STALE    ${fault.name}: ${why}`, fates.length + own.length + stale);
      continue;
    }
    const fate = await fateOf(fault);
    own.push(fate);
    tell(line(fate), fates.length + own.length + stale);
  }
  fates.push(...own);
  if (own.length > 0) groups.push(tally(group, own));
}
const chapters = [...new Set(fates.flatMap(({ fault }) => fault.chapters))].sort();
const byChapter = chapters.map((chapter) =>
  tally(
    chapter,
    fates.filter(({ fault }) => fault.chapters.includes(chapter)),
  ),
);
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
process.stdout.write(`\n${groups.join('\n')}\n\n${byChapter.join('\n')}\n\n${tally('all', fates)}\n`);
// Whoever was halted may have left a server of its own behind.
process.exit(stale > 0 ? 1 : 0);
