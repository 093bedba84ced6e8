// docs/clients.md: what it says of each client, as a text and read back from it.
import type { RuleResult } from '../../conformance/result.ts';

const marks = { pass: '✓', fail: '✗', warn: '!', skipped: '·', error: 'E' } as const;

const verdicts = Object.keys(marks) as (keyof typeof marks)[];

/** What is said of one client. */
export interface Column {
  readonly name: string;
  /** By the id of the rule; one that is not there was not judged. */
  readonly marks: ReadonlyMap<string, string>;
  /** A line for each rule that it does not keep. */
  readonly findings: readonly string[];
  /** Why it was not judged at all. */
  readonly missing?: string;
}

export function columnOf(name: string, results: readonly RuleResult[]): Column {
  const broken = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped');
  return {
    name,
    marks: new Map(results.map(({ id, verdict }) => [id, marks[verdict]])),
    findings: broken.map(
      ({ id, statement, finding }) => `- \`${id}\`: ${statement} Seen: ${cell(seen(finding?.message))}`,
    ),
  };
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 300);

/** What a run makes anew each time is no news. */
const seen = (message = ''): string =>
  (message.split('\n')[0] ?? '').replace(/\d+\.\d{3,}/g, (number) => String(Math.round(Number(number))));

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The page for these clients; `rules` are the ids in their order. */
export function pageOf(columns: readonly Column[], rules: readonly string[]): string {
  const present = columns.filter(({ missing }) => missing === undefined);
  const absent = columns.filter(({ missing }) => missing !== undefined);
  const markOf = (column: Column, id: string): string => column.marks.get(id) ?? marks.skipped;
  const count = (column: Column, mark: string): string =>
    String(rules.filter((id) => markOf(column, id) === mark).length);
  return [
    '# Clients under judgement',
    '',
    'Made by `npm run clients`. ✓ keeps the rule, ✗ breaks a must, ! does not keep what it should, · was not judged.',
    'To see the exchange that shows a failure: `touchstone judge client --rule ID -- COMMAND`, with the adapters of',
    '`fixtures/clients/`.',
    '',
    row(['Client', ...verdicts]),
    row(['---', ...verdicts.map(() => '---:')]),
    ...present.map((column) => row([column.name, ...verdicts.map((verdict) => count(column, marks[verdict]))])),
    '',
    ...absent.flatMap(({ name, missing }) => [`${name} was not judged: ${missing}`, '']),
    row(['Rule', ...present.map(({ name }) => name)]),
    row(['---', ...present.map(() => ':---:')]),
    ...rules.map((id) => row([`\`${id}\``, ...present.map((column) => markOf(column, id))])),
    ...present.flatMap(({ name, findings }) => [
      '',
      `## ${name}`,
      '',
      ...(findings.length > 0 ? findings : [spotless]),
    ]),
    '',
  ].join('\n');
}

const spotless = 'Keeps every rule that it was judged by.';

/** What a page says: the way back of `pageOf`. */
export function columnsIn(page: string): readonly Column[] {
  const lines = page.split('\n');
  const names =
    lines
      .find((line) => line.startsWith('| Rule |'))
      ?.split(' | ')
      .slice(1) ?? [];
  const rules = lines.flatMap((line) => {
    const [, id, cells] = /^\| `(.+?)` \| (.*) \|$/.exec(line) ?? [];
    return id ? [{ id, cells: cells?.split(' | ') ?? [] }] : [];
  });
  const present = names.map((name, index) => ({
    name: name.replace(/ \|$/, ''),
    marks: new Map(rules.map(({ id, cells }) => [id, cells[index] ?? marks.skipped])),
    findings: findingsUnder(name.replace(/ \|$/, ''), lines),
  }));
  const absent = lines.flatMap((line) => {
    const [, name, missing] = /^(.+?) was not judged: (.*)$/.exec(line) ?? [];
    return name ? [{ name, marks: new Map<string, string>(), findings: [], missing: missing ?? '' }] : [];
  });
  return [...present, ...absent];
}

function findingsUnder(name: string, lines: readonly string[]): readonly string[] {
  const from = lines.indexOf(`## ${name}`) + 1;
  const end = lines.findIndex((line, index) => index >= from && line.startsWith('## '));
  return lines.slice(from, end < 0 ? undefined : end).filter((line) => line.startsWith('- '));
}
