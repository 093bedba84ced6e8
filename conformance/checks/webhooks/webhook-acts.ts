import type { RuleContext } from '../../verbs/context.ts';

type Act = (context: RuleContext) => Promise<unknown>;

/** What webhooks may hear of. */
export const acts = {
  'create a Secret': ({ secrets }) => secrets.create(),
  'create a Lease': ({ leases }) => leases.create(),
  'update a Lease': async ({ leases }) =>
    leases.merge((await leases.create()).metadata.name, { metadata: { labels: { a: 'b' } } }),
  'delete a Lease': async ({ leases }) => leases.remove((await leases.create()).metadata.name),
  'create an Ingress': ({ ingresses }) => ingresses.create(),
  'update the status of an Ingress': async ({ ingresses }) =>
    ingresses.merge((await ingresses.create()).metadata.name, { status: { loadBalancer: {} } }, 'status'),
  'ask for a token': async ({ serviceAccounts }) => {
    const { metadata } = await serviceAccounts.create();
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { labels: metadata.labels },
    };
    return serviceAccounts.postTo(metadata.name, 'token', { ...body, spec: {} });
  },
  'update the namespace': async ({ namespaces, namespace }) =>
    namespaces.merge(await namespace(), { metadata: { labels: { a: 'b' } } }),
  'update the status of the namespace': async ({ namespaces, namespace }) =>
    namespaces.merge(await namespace(), { status: { conditions: [{ type: 'Judged', status: 'True' }] } }, 'status'),
  'finalize the namespace': async ({ namespaces, namespace }) =>
    namespaces.replace(await namespaces.read(await namespace()), 'finalize'),
} satisfies Record<string, Act>;

export type ActName = keyof typeof acts;
