import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

const [notReady, unreachable] = ['not-ready', 'unreachable'].map((state) => `node.kubernetes.io/${state}`) as [
  string,
  string,
];
const effect = 'NoExecute';
const operator = 'Exists';

/** What a pod says that it bears, and for which of the two taints it is given a time. */
const sayings: Readonly<Record<string, readonly [sent: readonly Json[], given: readonly string[]]>> = {
  'a pod that says nothing': [[], [notReady, unreachable]],
  'a pod that bears the one': [[{ key: notReady, operator, effect }], [unreachable]],
  'a pod that bears the other in every way': [[{ key: unreachable, operator }], [notReady]],
  'a pod that bears the one for a time': [[{ key: notReady, operator, effect, tolerationSeconds: 7 }], [unreachable]],
  'a pod that may be put on such nodes': [
    [notReady, unreachable].map((key) => ({ key, operator, effect: 'NoSchedule' })),
    [notReady, unreachable],
  ],
  'a pod that bears something else': [[{ key: 'example.com/other', operator, effect }], [notReady, unreachable]],
  'a pod that bears everything': [[{ operator }], []],
  'a pod that bears whatever puts others off': [[{ operator, effect: 'NoSchedule' }], [notReady, unreachable]],
  'a pod that bears whatever ends others': [[{ operator, effect }], []],
};

/** DefaultTolerationSeconds: a pod bears for a while that its node is gone, unless it says itself how long. */
export async function bearsForAWhile({ pods, expect }: RuleContext): Promise<void> {
  for (const [what, [sent, given]] of Object.entries(sayings)) {
    const answer = await pods.post(pods.sample({ spec: { tolerations: sent } }), { dryRun: 'All' });
    expect(answer.status, `${what}: ${said(answer)}`).toBe(201);
    const tolerations: readonly Json[] = answer.body.spec.tolerations ?? [];
    for (const own of sent) expect(tolerations, what).toContainEqual(own);
    const added = tolerations.filter((each) => typeof each.tolerationSeconds === 'number' && !sent.some(same(each)));
    const words = added.map(({ key, effect: way }) => `${key}:${way}`).sort();
    expect(words, `${what}: what it is given a time for`).toEqual(given.map((key) => `${key}:${effect}`));
  }
}

const same =
  (one: Json) =>
  ({ key, effect: way, tolerationSeconds }: Json): boolean =>
    key === one.key && way === one.effect && tolerationSeconds === one.tolerationSeconds;
