import type { Json } from '../../../verbs/client.ts';
import { documented, implied, type PartyRule } from '../../party.ts';
import { otherAddress } from '../addresses.ts';
import { endpointsAt, type IngressContext } from '../context.ts';
import { namedPort, onHost, portAt } from '../specs.ts';

/** How a consumer reads EndpointSlices, seen by where requests end. */
export const sliceRules: readonly PartyRule<IngressContext>[] = [
  // Not saying so is taken for ready.
  documented('endpointslice.conditions.ready.nil', {
    fault: 'nil-not-ready',
    check: (context) => reached(context, {}),
  }),
  // Not saying so is to do as `ready` does.
  documented('endpointslice.conditions.serving.nil', {
    fault: ['nil-serving', 'needs-serving'],
    async check(context) {
      await reached(context, { ready: true });
      // It says no as ready does, so that nobody may turn to it while it goes.
      await notReached(context, { ready: false, terminating: true });
    },
  }),
  // Not saying so is not to be terminating.
  documented('endpointslice.conditions.terminating.nil', {
    fault: 'nil-terminating',
    check: (context) => reached(context, { ready: true, serving: true }),
  }),
  // No ports listed means none.
  documented('endpointslice.ports.empty', {
    fault: 'guesses-ports',
    async check(context) {
      const { candidate, backend, service, slice, ingress, reaches, misses, domain } = context;
      // The wrong one listens where the Service says, so that a guess would find it.
      const [host, right, wrong] = [domain(), await backend(), await backend()];
      const target = await service([], { ports: [{ ...namedPort, port: wrong.port }] });
      const { name } = target.service;
      await slice(name, { ...endpointsAt(candidate), ports: [] });
      await slice(name, { ...endpointsAt(candidate), ports: [portAt(right.port)] });
      await ingress({ rules: [onHost(host, target)] });
      await reaches({ host }, right);
      for (let round = 0; round < 3; round++) await misses({ host }, wrong);
    },
  }),
  // A port without a number means all of them.
  documented('endpointslice.ports.no-number', {
    fault: 'needs-port-number',
    async check(context) {
      const { candidate, backend, service, slice, ingress, reaches, domain } = context;
      const [host, one] = [domain(), await backend()];
      const target = await service([], { ports: [{ port: one.port, targetPort: one.port }] });
      await slice(target.service.name, { ...endpointsAt(candidate), ports: [{ name: '' }] });
      await ingress({ rules: [onHost(host, target)] });
      await reaches({ host }, one);
    },
  }),
  // One address of an endpoint is as good as another.
  documented('endpointslice.addresses.fungible', {
    fault: 'needs-one-address',
    async check(context) {
      const { candidate, backend, service, slice, ingress, reaches, domain, skip } = context;
      const { endpoints, addressType } = endpointsAt(candidate);
      const other = otherAddress(candidate.backendHost);
      if (other === undefined)
        skip('this machine has one address alone; --backend-host=127.0.0.1 has another beside it');
      const [host, one] = [domain(), await backend()];
      const target = await service([], { ports: [{ port: one.port, targetPort: one.port }] });
      const both = [{ ...endpoints[0], addresses: [candidate.backendHost, other] }];
      await slice(target.service.name, { addressType, endpoints: both, ports: [{ name: '', port: one.port }] });
      await ingress({ rules: [onHost(host, target)] });
      // Whichever it takes, it is the same backend.
      await reaches({ host }, one);
    },
  }),
  implied(
    'ingress.slices.joined',
    { statement: 'The endpoints of all slices of a Service get requests.', from: ['endpointslice.joined'] },
    {
      fault: 'first-slice-only',
      async check({ backend, service, ingress, reaches, domain }) {
        const [host, one, two] = [domain(), await backend(), await backend()];
        await ingress({ rules: [onHost(host, await service([one, two]))] });
        for (const each of [one, two, one]) await reaches({ host }, each);
      },
    },
  ),
  implied(
    'ingress.slices.not-ready',
    { statement: 'An endpoint that is not ready gets no requests.', from: ['endpointslice.conditions.ready'] },
    { fault: 'ignores-readiness', check: (context) => notReached(context, { ready: false }) },
  ),
];

/** The endpoint with these conditions gets requests. */
async function reached({ backend, service, ingress, reaches, domain }: IngressContext, conditions: Json) {
  const [host, one] = [domain(), await backend()];
  await ingress({ rules: [onHost(host, await service([one], { conditions }))] });
  await reaches({ host }, one);
}

/** It gets none, alone or beside one that is ready. */
async function notReached(context: IngressContext, conditions: Json) {
  const { candidate, backend, service, slice, ingress, reaches, misses, domain } = context;
  const [host, lone, one, two] = [domain(), domain(), await backend(), await backend()];
  const target = await service([one], { conditions });
  const alone = await service([one], { conditions });
  await slice(target.service.name, { ...endpointsAt(candidate, { nth: 1 }), ports: [portAt(two.port)] });
  await ingress({ rules: [onHost(host, target), onHost(lone, alone)] });
  await reaches({ host }, two);
  for (let round = 0; round < 3; round++) await misses({ host }, one);
  await misses({ host: lone }, one);
}
