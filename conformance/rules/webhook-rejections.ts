import { changeText } from '../sabotage/transforms.ts';
import type { RuleContext } from '../verbs/context.ts';
import { configure, type HookParts } from '../verbs/webhooks.ts';

const counter = 'apiserver_admission_webhook_rejection_count';
const metrics = { path: /^\/metrics$/ };
export const uncounted = changeText(
  'counts no rejection',
  (text) => text.replaceAll(counter, 'something_else'),
  metrics,
);
export const spoilLabel = (label: string) =>
  changeText(`tells a wrong ${label}`, (text) => text.replaceAll(`${label}="`, `${label}="x`), metrics);

type Labels = Readonly<Record<string, string>>;

const labelsOf = (line: string): Labels =>
  Object.fromEntries(
    [...line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

/** Of several servers behind one address only the one that refused has counted: each new connection may lead to it. */
const looks = 24;
/** Milliseconds after which it is looked no more: where very many things are counted, a look takes its time. */
const longestLook = 15_000;
const anew = { headers: { connection: 'close' } };

/** The labels of the samples that rejections by a webhook of this name have left, with their counts. */
async function samples({ send }: RuleContext, name: string): Promise<{ labels: Labels; count: number }[]> {
  let lines: string[] = [];
  const until = performance.now() + longestLook;
  for (let look = 0; look < looks && lines.length === 0 && performance.now() < until; look++) {
    const { text } = await send('GET', '/metrics', anew);
    lines = text.split('\n').filter((line) => line.startsWith(`${counter}{`) && labelsOf(line)['name'] === name);
  }
  return lines.map((line) => ({ labels: labelsOf(line), count: Number(line.slice(line.lastIndexOf(' ') + 1)) }));
}

export const denying = (status?: object): HookParts => ({
  respond: () => ({ allowed: false, ...(status ? { status } : {}) }),
});
export const broken: HookParts = { respond: () => ({ raw: { status: 500, body: 'out of order' } }) };

export const ownName = ({ unique }: RuleContext): string => `${unique('count')}.touchstone.example`;

/** Has a create refused by a webhook and gives the samples it left. The webhook has a name of its own. */
export async function rejected(
  context: RuleContext,
  parts: HookParts,
  type: 'mutating' | 'validating' = 'validating',
  name = ownName(context),
) {
  await configure(context, type, [{ ...parts, over: { ...parts.over, name } }]);
  const answer = await context.secrets.post(context.secrets.sample());
  return { name, answer, samples: await samples(context, name) };
}
