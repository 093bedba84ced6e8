import type { KubeObject } from '../../base/kube-object.ts';
import { HttpCaller } from '../../http-client/http-call.ts';
import { defineKind } from '../strategy.ts';
import { column, nameColumn } from '../table-cells.ts';

interface ComponentStatus extends KubeObject {
  conditions?: { type?: string; status?: string; message?: string; error?: string }[];
}

const limits = { timeoutMs: 1000, maxBytes: 4096 };

/** Where the other components of a control plane tell of their health, when they run on this host. */
const neighbours: readonly (readonly [name: string, port: number])[] = [
  ['scheduler', 10_259],
  ['controller-manager', 10_257],
];

const statusOf = (name: string, status: 'True' | 'False', message: string): ComponentStatus => ({
  kind: 'ComponentStatus',
  apiVersion: 'v1',
  metadata: { name },
  conditions: [{ type: 'Healthy', status, message }],
});

/** The status by what asking it comes to: the message of one that is well, or why it is not. */
async function probed(name: string, ask: () => Promise<string>): Promise<ComponentStatus> {
  try {
    return statusOf(name, 'True', await ask());
  } catch (error) {
    return statusOf(name, 'False', error instanceof Error ? error.message : String(error));
  }
}

async function healthOf(caller: HttpCaller, port: number): Promise<string> {
  const url = new URL(`https://127.0.0.1:${port}/healthz`);
  const { status, body } = await caller.call({ method: 'GET', url, headers: {} }, limits);
  const text = body.toString().trim();
  if (status !== 200) throw new Error(`${url} answers ${status}: ${text}`);
  return text;
}

/** Nobody stores them: whoever reads them has the components asked. */
async function components(storeHealth: () => Promise<unknown>): Promise<ComponentStatus[]> {
  // What these tell is no secret, and their certificates are nobody's but their own.
  const caller = new HttpCaller({ insecureSkipVerify: true });
  try {
    return await Promise.all([
      ...neighbours.map(([name, port]) => probed(name, () => healthOf(caller, port))),
      probed('etcd-0', () => storeHealth().then(() => '{"health":"true"}')),
    ]);
  } finally {
    caller.close();
  }
}

/** Read only. */
export const componentStatus = defineKind<ComponentStatus>({
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  resource: 'componentstatuses',
  computed: ({ store }) => components(() => store.currentRevision()),
  deprecations: { v1: 'v1 ComponentStatus is deprecated in v1.19+' },
  table: {
    columns: [nameColumn, column('Status'), column('Message'), column('Error')],
    cells({ metadata, conditions }) {
      const healthy = conditions?.find(({ type }) => type === 'Healthy');
      const status = healthy ? (healthy.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown';
      return [metadata.name, status, healthy?.message ?? '', healthy?.error ?? ''];
    },
  },
});
