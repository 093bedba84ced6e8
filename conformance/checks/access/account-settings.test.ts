import { expect, test, vi } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { keepsToList } from './account-settings.ts';

/** Whether a pod takes all of a Secret as its environment, which some releases do not look at. */
const takesAll = ({ containers = [], initContainers = [] }: Json): boolean =>
  [...containers, ...initContainers].some(({ envFrom }: Json) => envFrom);

/** A server of a version that refuses what is not listed, but for what is forgotten. */
function serverOf(version: string, forgets: (spec: Json) => boolean) {
  const looser = vi.fn(async (judge: () => void) => {
    try {
      judge();
    } catch {
      // What is told as a warning.
    }
  });
  const post = async ({ spec }: Json) => {
    const isListed = !JSON.stringify(spec).includes('other') || forgets(spec);
    return { status: isListed ? 201 : 403, body: {}, text: '{}' };
  };
  const pods = { sample: (over: Json) => over, post };
  const serviceAccounts = { create: async () => ({ metadata: { name: 'account' } }) };
  return { context: { serviceAccounts, pods, version, looser, expect } as unknown as RuleContext, looser };
}

test.each(['v1.20.4', 'v1.25.16', 'v1.27.12', 'v1.28.8', 'v1.29.3'])('%s may forget environments', async (version) => {
  const { context, looser } = serverOf(version, takesAll);
  await expect(keepsToList(context)).resolves.toBeUndefined();
  expect(looser).toHaveBeenCalledTimes(2);
});

test.each(['v1.27.13', 'v1.28.9', 'v1.29.4', 'v1.30.0', 'v1.36.1'])('%s may not', async (version) => {
  await expect(keepsToList(serverOf(version, takesAll).context)).rejects.toThrow('as an environment');
});

test('no release forgets a variable', async () => {
  const forgets = (spec: Json): boolean => spec.initContainers?.[0].env !== undefined;
  await expect(keepsToList(serverOf('v1.25.0', forgets).context)).rejects.toThrow('a variable of what runs first');
});
