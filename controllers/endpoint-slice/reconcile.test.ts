import { expect, test } from 'vitest';
import type { Request } from '../runtime/controller.ts';
import { endpoints, pods, type Resource, services } from '../runtime/resources.ts';
import { endpointLoops } from './reconcile.ts';

test('endpoints that are as they should be are not written again, in whatever order their fields come', async () => {
  const metadata = { namespace: 'ns', name: 's' };
  const targetRef = { kind: 'Pod', namespace: 'ns', name: 'p', uid: 'p' };
  const objects = new Map<Resource, object>([
    [services, { metadata, spec: { selector: { app: 'a' }, ports: [{ port: 80, protocol: 'TCP' }] } }],
    [
      endpoints,
      { metadata, subsets: [{ addresses: [{ ip: '10.0.0.1', targetRef }], ports: [{ port: 80, protocol: 'TCP' }] }] },
    ],
  ]);
  const pod = {
    metadata: { namespace: 'ns', name: 'p', uid: 'p', labels: { app: 'a' } },
    status: { phase: 'Running', podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] },
  };
  const written: unknown[] = [];
  const request = {
    key: 'ns/s',
    read: (resource: Resource) => ({ find: () => objects.get(resource), in: () => (resource === pods ? [pod] : []) }),
    write: () => ({ replace: async (_base: unknown, next: unknown) => written.push(next) }),
  } as unknown as Request;
  await endpointLoops[0]?.reconcile(request);
  expect(written).toEqual([]);
});
