import { meant, noSuch } from '../../mistyped.ts';
import { beyondTest } from '../catalogue/beyond-test.ts';
import { catalogue, entryOf } from '../catalogue/catalogue.ts';
import { judgedElsewhere, withoutCheckText } from '../catalogue/without-check.ts';
import { rulesPage } from '../report/rules-page.ts';
import type { Rule } from '../rule.ts';
import { runConformance } from '../run-conformance.ts';
import { loadSections } from '../runner/sections.ts';
import { profileOf } from '../selection/profiles.ts';
import { listText } from '../selection/selection.ts';
import { sentBy } from './rehearse.ts';
import { print } from './terminal.ts';

const usage = `Usage: touchstone rules [--markdown | --without-check | --json]

Prints every rule that has a check.

  --markdown       the whole page of documented sentences instead
  --without-check  the rules that no check of servers judges instead, and who judges them or why nobody can
  --json           every documented sentence as JSON, and whether a check of servers judges it
`;

const options: readonly string[] = ['--markdown', '--without-check', '--json'];

const explainUsage = `Usage: touchstone explain RULE

Tells a rule's sentence, where it stands in the documents, what a check of it needs, what it notices, and what it sends:
for that it is played on the reference server.
`;

function misused(text: string): number {
  process.stderr.write(text);
  return 2;
}

const allRules = async (): Promise<readonly Rule[]> => (await loadSections()).flatMap(({ rules }) => rules);

/** `touchstone rules`. Resolves with the exit code. */
export async function rules(argv: readonly string[]): Promise<number> {
  const [option, ...more] = argv;
  if (option === '--help' || option === '-h') return print(usage);
  const wrong = [...(option === undefined || options.includes(option) ? [] : [option]), ...more][0];
  if (wrong !== undefined)
    return misused(
      `touchstone rules: unexpected ${JSON.stringify(wrong)}${meant(wrong, [...options, '--help'])}; --help tells more\n`,
    );
  const checked = await allRules();
  const ids = new Set(checked.map(({ id }) => id));
  if (option === '--without-check') return print(await withoutCheckText(ids));
  if (option === '--json') return print(JSON.stringify(sentences(ids), undefined, 2));
  if (option) return print(rulesPage(checked, await judgedElsewhere()));
  return print(listText(catalogue.filter(({ id }) => ids.has(id)).map(({ id }) => id)));
}

const sentences = (checked: ReadonlySet<string>) =>
  catalogue.map(({ id, chapter, level, statement, source }) => ({
    ...{ id, chapter, level, statement, source },
    hasCheck: checked.has(id),
  }));

/** `touchstone explain`. Resolves with the exit code. */
export async function explain(argv: readonly string[]): Promise<number> {
  const [id, ...more] = argv;
  if (id === '--help' || id === '-h') return print(explainUsage);
  if (id === undefined) return misused(explainUsage);
  if (more[0] !== undefined)
    return misused(`touchstone explain: unexpected ${JSON.stringify(more[0])}; --help tells more\n`);
  const ids = catalogue.map((entry) => entry.id);
  if (!ids.includes(id))
    return misused(`touchstone explain: ${noSuch('rule', id, [...ids, '--help'])}; touchstone rules lists them\n`);
  const rule = (await allRules()).find((one) => one.id === id);
  print(explanation(id, rule, (await judgedElsewhere()).get(id)));
  return rule ? print(await sendings(id)) : 0;
}

/** Of a general rule three cells show what all send. */
const cells = 3;

/** What a rule sends, as it is seen when it is played on the reference server. */
async function sendings(id: string): Promise<string> {
  const { results } = await runConformance({ rules: [id], verbose: true, workers: 1, cells });
  const lines = results.flatMap(({ exchanges }) => sentBy(exchanges));
  if (lines.length === 0) return `  it sends nothing here: ${results[0]?.reason ?? 'it judges by other means'}`;
  return [
    '  it sends, requests marked ! only with --yes where others use the target:',
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
}

/** All that is known of a rule without playing it. @param elsewhere the judge of another party that has a check, too */
function explanation(id: string, rule: Rule | undefined, elsewhere?: string): string {
  const { level, where, source, statement } = entryOf(id);
  const lines = [id, `  ${statement}`, `  ${level}; ${source}`];
  const judge = elsewhere === undefined ? [] : [`  judged by ${elsewhere} --rule ${id}`];
  const none = beyondTest[id] ?? where;
  if (!rule) return [...lines, ...(judge.length > 0 ? judge : [`  It has no check (${none}).`])].join('\n');
  const { needs, flags, cells = [], sabotages } = rule;
  return [
    ...lines,
    ...judge,
    `  profile: ${profileOf(rule)}`,
    ...(needs.length > 0 ? [`  needs: ${needs.join(', ')}`] : []),
    ...(flags ? [`  server: ${typeof flags === 'function' ? 'started with flags for the lab' : flags.join(' ')}`] : []),
    ...(cells.length > 0 ? [`  cells: ${cells.length}, such as ${cells[0]?.name}`] : []),
    '  it notices a server that',
    ...sabotages.map(({ name }) => `    ${name}`),
  ].join('\n');
}
