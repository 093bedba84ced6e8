import { slip, slips } from '../fault.ts';

/** What the slices that controllers make say of ports, and of endpoints that should get no traffic. */
export default [
  slip(
    'addresses of Endpoints that are not ready are mirrored as ready',
    ['endpointslice', 'component'],
    '../controllers/endpoint-slice-mirroring/plan.ts',
    'endpoints: own.map(({ address, ready }) => endpointFor(address, ready)),',
    'endpoints: own.map(({ address }) => endpointFor(address, true)),',
  ),
  slip(
    'a pod that is going is as ready as its container',
    ['endpointslice', 'component'],
    '../controllers/endpoint-slice/plan.ts',
    '(serving && !terminating)',
    'serving',
  ),
  slip(
    'endpoints do not say in which zone they are',
    ['component'],
    '../controllers/endpoint-slice/plan.ts',
    '    ...(zone && { zone }),\n',
    '',
  ),
  slips(
    'pods that are not ready are never published as ready, whatever their service asks for',
    ['endpointslice', 'component'],
    [
      {
        file: '../controllers/endpoint-slice/plan.ts',
        from: 'ready: service.spec?.publishNotReadyAddresses || (serving && !terminating)',
        to: 'ready: serving && !terminating',
      },
      {
        file: '../controllers/endpoint-slice/endpoints.ts',
        from: 'isReady(pod) || service.spec?.publishNotReadyAddresses',
        to: 'isReady(pod)',
      },
    ],
  ),
  slip(
    'a port that a service names is looked for in the first container alone',
    ['endpointslice'],
    '../controllers/endpoint-slice/plan.ts',
    'const containers = pod.spec?.containers ?? [];',
    'const containers = (pod.spec?.containers ?? []).slice(0, 1);',
  ),
  slip(
    'a slice that mirrors what is told of a Service is made anew each time',
    ['component'],
    '../controllers/endpoint-slice-mirroring/plan.ts',
    'addressType === wanted.addressType && same',
    'addressType !== wanted.addressType && same',
  ),
  slip(
    'a slice that somebody deletes does not come back',
    ['component', 'endpointslice'],
    '../controllers/endpoint-slice/reconcile.ts',
    'return service ? [keyFor(namespaceOf(slice), service)] : [];',
    "return service && slice.kind === '' ? [keyFor(namespaceOf(slice), service)] : [];",
  ),
];
