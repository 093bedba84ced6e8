// docs/clients.md: what it says of each client, as a text and read back from it.
import type { RuleResult } from '../../conformance/result.ts';

const marks = { pass: '✓', fail: '✗', warn: '!', skipped: '·', error: 'E' } as const;

const verdicts = Object.keys(marks) as (keyof typeof marks)[];

/** What is said of one client. */
export interface Column {
  readonly name: string;
  /** By the id of the rule; one that is not there was not judged. */
  readonly marks: ReadonlyMap<string, string>;
  /** By topic whether it did it on the reference server; one that is not there it left out. */
  readonly tour: ReadonlyMap<string, string>;
  /** A line for each rule that it does not keep, and for each topic that went wrong. */
  readonly findings: readonly string[];
  /** Why it was not judged at all. */
  readonly missing?: string;
}

/** `toured` is what went wrong by topic, empty where nothing did. */
export function columnOf(
  name: string,
  results: readonly RuleResult[],
  toured: ReadonlyMap<string, string> = new Map(),
): Column {
  const broken = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped');
  return {
    name,
    marks: new Map(results.map(({ id, verdict }) => [id, marks[verdict]])),
    tour: new Map([...toured].map(([topic, wrong]) => [topic, wrong ? marks.fail : marks.pass])),
    findings: [
      ...broken.map(({ id, statement, finding }) => `- \`${id}\`: ${statement} Seen: ${cell(seen(finding?.message))}`),
      ...[...toured].flatMap(([topic, wrong]) => (wrong ? [`- ${topic}: ${cell(wrong)}`] : [])),
    ],
  };
}

/** The same client after another tour: how it was judged stays. */
export function onTour(column: Column, toured: ReadonlyMap<string, string>): Column {
  const again = columnOf(column.name, [], toured);
  const judged = column.findings.filter((line) => line.startsWith('- `'));
  return { ...column, tour: again.tour, findings: [...judged, ...again.findings] };
}

/** The same client after some rules have judged it anew. */
export function onRules(column: Column, results: readonly RuleResult[]): Column {
  const again = columnOf(column.name, results);
  const others = column.findings.filter((line) => !results.some(({ id }) => line.startsWith(`- \`${id}\`:`)));
  const isOfRule = (line: string): boolean => line.startsWith('- `');
  return {
    ...column,
    marks: new Map([...column.marks, ...again.marks]),
    findings: [...others.filter(isOfRule), ...again.findings, ...others.filter((line) => !isOfRule(line))],
  };
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 300);

/** What a run makes anew each time is no news. */
const seen = (message = ''): string =>
  (message.split('\n')[0] ?? '').replace(/\d+\.\d{3,}/g, (number) => String(Math.round(Number(number))));

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** What a page is made of beside the clients: the ids of the rules and the topics of the tour, in their order. */
export interface Rows {
  readonly rules: readonly string[];
  readonly topics: readonly string[];
}

/** The page for these clients. */
export function pageOf(columns: readonly Column[], { rules, topics }: Rows): string {
  const present = columns.filter(({ missing }) => missing === undefined);
  const judged = present.filter((column) => column.marks.size > 0);
  const absent = columns.filter(({ missing }) => missing !== undefined);
  const markOf = (column: Column, id: string): string => column.marks.get(id) ?? marks.skipped;
  const count = (column: Column, mark: string): string =>
    String(rules.filter((id) => markOf(column, id) === mark).length);
  return [
    '# Clients under judgement',
    '',
    'Made by `npm run clients`; versions stand in the manifests under `fixtures/clients/`. ✓ keeps the rule, ✗ breaks a must, ! does not keep what it should, · was not judged.',
    'To see the exchange that shows a failure: `touchstone judge client --rule ID -- COMMAND`, with the adapters of',
    '`fixtures/clients/`.',
    '',
    row(['Client', ...verdicts]),
    row(['---', ...verdicts.map(() => '---:')]),
    ...judged.map((column) => row([column.name, ...verdicts.map((verdict) => count(column, marks[verdict]))])),
    '',
    ...absent.flatMap(({ name, missing }) => [`${name} was not judged: ${missing}`, '']),
    row(['Rule', ...judged.map(({ name }) => name)]),
    row(['---', ...judged.map(() => ':---:')]),
    ...rules.map((id) => row([`\`${id}\``, ...judged.map((column) => markOf(column, id))])),
    ...tourOf(present, topics),
    ...present.flatMap(({ name, marks: { size }, findings }) => {
      const lines = findings.length === 0 && size > 0 ? [spotless] : findings;
      return lines.length > 0 ? ['', `## ${name}`, '', ...lines] : [];
    }),
    '',
  ].join('\n');
}

function tourOf(columns: readonly Column[], topics: readonly string[]): readonly string[] {
  const touring = columns.filter(({ tour }) => tour.size > 0);
  if (touring.length === 0) return [];
  return [
    '',
    'What the programs do beside on the reference server, each with the means of its client: · was left out.',
    '',
    row(['Topic', ...touring.map(({ name }) => name)]),
    row(['---', ...touring.map(() => ':---:')]),
    ...topics.map((topic) => row([topic, ...touring.map(({ tour }) => tour.get(topic) ?? marks.skipped)])),
  ];
}

const spotless = 'Keeps every rule that it was judged by.';

/** What a page says: the way back of `pageOf`. */
export function columnsIn(page: string): readonly Column[] {
  const lines = page.split('\n');
  const [judged, toured] = [tableIn(lines, 'Rule'), tableIn(lines, 'Topic')];
  const present = [...new Set([...judged.keys(), ...toured.keys()])].map((name) => ({
    name,
    marks: new Map([...(judged.get(name) ?? [])].map(([id, mark]) => [id.replaceAll('`', ''), mark])),
    tour: new Map([...(toured.get(name) ?? [])].filter(([, mark]) => mark !== marks.skipped)),
    findings: findingsUnder(name, lines),
  }));
  const absent = lines.flatMap((line) => {
    const [, name, missing] = /^(.+?) was not judged: (.*)$/.exec(line) ?? [];
    return name ? [absence(name, missing)] : [];
  });
  return [...present, ...absent];
}

/** A client that was not judged. */
export const absence = (name: string, missing = ''): Column => ({
  ...{ name, missing, marks: new Map(), tour: new Map(), findings: [] },
});

/** The columns of the table whose first cell is this, by their names: what stands in each row, by its first cell. */
function tableIn(lines: readonly string[], corner: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const from = lines.findIndex((line) => line.startsWith(`| ${corner} |`));
  if (from < 0) return new Map();
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(from, length < 0 ? undefined : from + length).map((line) => line.slice(2, -2).split(' | '));
  const [head = [], , ...body] = rows;
  return new Map(
    head.slice(1).map((name, index) => [name, new Map(body.map((cells) => [cells[0] ?? '', cells[index + 1] ?? '']))]),
  );
}

function findingsUnder(name: string, lines: readonly string[]): readonly string[] {
  const from = lines.indexOf(`## ${name}`) + 1;
  if (from === 0) return [];
  const end = lines.findIndex((line, index) => index >= from && line.startsWith('## '));
  return lines.slice(from, end < 0 ? undefined : end).filter((line) => line.startsWith('- '));
}
