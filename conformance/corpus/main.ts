import { parseArgs } from 'node:util';
import { loadSections } from '../runner/sections.ts';
import { corpus } from './corpus.ts';
import { type Kill, kill } from './kill.ts';

/**
 * Plays every faulty server of the corpus, or those whose name has the given words in it, and tells how many the rules
 * notice: `node conformance/corpus/main.ts [words] [--only]`. With --only just the chapters that each offends are played.
 */
const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'boolean' } } });
const wanted = positionals.join(' ');
const sections = await loadSections();
const rules = sections.flatMap((section) => section.rules);

const line = ({ fault, by, played }: Kill): string =>
  by ? `killed   ${fault.name}: ${by.id} (${played} rules)` : `SURVIVES ${fault.name} (${played} rules)`;

const rows: string[] = [];
const total = { killed: 0, faults: 0 };
for (const [group, faults] of Object.entries(corpus)) {
  const chosen = faults.filter(({ name }) => name.includes(wanted) || group === wanted);
  const kills: Kill[] = [];
  for (const fault of chosen) {
    const chapters = rules.filter(({ id }) => !values.only || fault.chapters.includes(id.split('.')[0] ?? ''));
    const found = await kill(fault, chapters);
    kills.push(found);
    process.stdout.write(`${line(found)}\n`);
  }
  const killed = kills.filter(({ by }) => by).length;
  total.killed += killed;
  total.faults += kills.length;
  if (kills.length > 0) rows.push(`${group.padEnd(10)} ${killed} of ${kills.length}`);
}
const share = Math.round((100 * total.killed) / Math.max(1, total.faults));
process.stdout.write(`\n${rows.join('\n')}\n${'all'.padEnd(10)} ${total.killed} of ${total.faults}, ${share} %\n`);
