import { expect, test } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { changesPods } from './changed-pods.ts';

const bearing = (key: string): Json => ({ key, operator: 'Exists', effect: 'NoSchedule' });

/** Whether a pod may become another by one value put into it. */
function mayChange({ spec }: Json, { op, path, value }: Json): boolean {
  if (op !== 'add') return false;
  if (path.endsWith('/image')) return value !== '' && value.trim() === value;
  if (path === '/spec/activeDeadlineSeconds') return value > 0 && value <= (spec.activeDeadlineSeconds ?? Infinity);
  const [, at] = /^\/spec\/tolerations\/(\d+)\/tolerationSeconds$/.exec(path) ?? [];
  return path === '/spec/tolerations/-' || (at !== undefined && spec.tolerations[at].effect === 'NoExecute');
}

function put(pod: Json, { path, value }: Json): void {
  const steps: string[] = path.split('/').slice(1);
  const last = steps.pop() as string;
  const parent = steps.reduce((part, step) => part[step], pod);
  if (last === '-') parent.push(value);
  else parent[last] = value;
}

/** A server of one pod, which has these tolerations in front of its own. */
function serverOf(before: readonly Json[], may = mayChange): RuleContext {
  let pod: Json = {};
  const create = async ({ spec }: Json) => {
    pod = structuredClone({ metadata: { name: 'pod' }, spec, status: {} });
    pod.spec.tolerations.unshift(...before);
    return structuredClone(pod);
  };
  const patch = async (_: string, parts: Json, { sub }: Json) => {
    if (sub) {
      const podIP = parts.status.podIP ?? parts.status.podIPs[0].ip;
      return { status: 200, body: { status: { podIP, podIPs: [{ ip: podIP }] } }, text: '' };
    }
    if (!may(pod, parts[0])) return { status: 422, body: {}, text: '{}' };
    put(pod, parts[0]);
    return { status: 200, body: structuredClone(pod), text: '' };
  };
  const pods = { create, patch, read: async () => structuredClone(pod) };
  return { pods, serviceAccounts: { post: async () => undefined }, expect } as unknown as RuleContext;
}

test.each([
  ['alone', []],
  ['behind those of its namespace', [bearing('example.com/all')]],
])('the toleration of a pod may stand %s', async (_, before) => {
  await expect(changesPods(serverOf(before))).resolves.toBeUndefined();
});

test('another effect may not be taken', async () => {
  const careless = (pod: Json, operation: Json) => operation.path.endsWith('/effect') || mayChange(pod, operation);
  await expect(changesPods(serverOf([], careless))).rejects.toThrow('a toleration of another effect');
});
