import type { Json } from '../verbs/client.ts';
import type { Differs, OracleReport } from './oracle.ts';
import type { Body, Step } from './play/scenario.ts';

const longestBody = 600;

function bodyText(body: Body): string {
  if ('json' in body) return JSON.stringify(body.json);
  if ('yaml' in body) return `YAML of ${JSON.stringify(body.yaml)}`;
  if ('text' in body) return body.text;
  if ('bytesOf' in body)
    return `the bytes of step ${body.bytesOf}${body.spoilt ? `, spoilt: ${JSON.stringify(body.spoilt)}` : ''}`;
  const merging = body.merge === undefined ? '' : `, merged with ${JSON.stringify(body.merge)}`;
  if ('passedOf' in body) return `what step ${body.passedOf} sent, without the entries that were refused${merging}`;
  return `${body.inYaml ? 'YAML of ' : ''}the object of step ${body.answerOf}${merging}`;
}

const shortened = (text: string): string =>
  text.length <= longestBody ? text : `${text.slice(0, longestBody)}… (${text.length - longestBody} more characters)`;

/** One step as people read it. */
function stepText({ id, method, path, query, headers, body, watch, anonymous }: Step): string {
  const asked =
    typeof query === 'string'
      ? query
      : query &&
        Object.entries(query)
          .map(([name, value]) => `${name}=${value}`)
          .join('&');
  const lines = [
    `${id}: ${watch ? 'WATCH' : method} ${path}${asked ? `?${asked}` : ''}${anonymous ? '  (without credentials)' : ''}`,
  ];
  for (const [name, value] of Object.entries(headers ?? {})) lines.push(`    ${name}: ${value}`);
  if (body) lines.push(`    ${shortened(bodyText(body))}`);
  return lines.join('\n');
}

const valueText = (value: Json): string => (value === undefined ? 'nothing' : shortened(JSON.stringify(value)));

function differsText({ signature, piece, hits, rules, differences, scenario, request, step }: Differs): string {
  const lines = [`differs  ${signature}${hits > 1 ? `  (${hits} times)` : ''}`];
  if (rules.length > 0) lines.push(`  bears on ${rules.join(', ')}`);
  if (request) lines.push(`  seen in ${piece}`);
  for (const one of scenario?.steps ?? [request ?? []].flat()) lines.push(stepText(one).replaceAll(/^/gm, '  '));
  for (const { at, seen, expected } of differences.slice(0, 3))
    lines.push(`  ${step} ${at}: ${valueText(seen)}, where the other says ${valueText(expected)}`);
  return lines.join('\n');
}

function endText({ complete, ended, lost }: OracleReport): string {
  if (lost) return ', until a server was lost';
  if (ended) return ', until it was ended';
  return complete ? '' : ', until the time was spent';
}

function totalsText(report: OracleReport): string {
  const { judged, other, seed, comparisons, scenarios, kinds, milliseconds, differs, passing } = report;
  const spent = `${Math.round(milliseconds / 1000)} s${endText(report)}`;
  const count = `${differs.length} ${differs.length === 1 ? 'difference' : 'differences'}`;
  return [
    `${judged} beside ${other}, seed ${seed}: ${comparisons} answers of ${scenarios} scenarios and cells of rules on ${kinds} kinds compared in ${spent}`,
    `${count}${passing > 0 ? `, and ${passing} that did not show again` : ''}`,
  ].join('\n');
}

/** What a comparison has to say, the totals last. */
export function oracleText(report: OracleReport): string {
  const parts = [
    ...report.differs.map(differsText),
    ...report.passed.map((line) => `did not show again: ${line}`),
    ...report.notCompared.map((line) => `not compared: ${line}`),
    ...report.broken.map((line) => `broke off: ${line}`),
    ...report.left.map((line) => `could not remove ${line}`),
    ...(report.lost ? [`LOST: ${report.lost}`] : []),
  ];
  return `${[...parts, totalsText(report)].join('\n\n')}\n`;
}
