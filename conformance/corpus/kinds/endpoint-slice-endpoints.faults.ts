import { removeIn } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { lenient } from '../meddling.ts';

const endpointSlice = 'kinds/discovery/endpoint-slice.ts';

/** Endpoints of an EndpointSlice: conditions, hints, zones, host names, and the pods behind them. */
export default [
  fault(
    'lists of slices do not tell for which zones an endpoint is',
    ['endpointslice', 'kinds'],
    removeIn('items.*.endpoints.*.hints', { method: 'GET', path: /\/endpointslices$/ }),
  ),
  slip(
    'a pod that is not ready is in no slice',
    ['endpointslice'],
    '../controllers/endpoint-slice/plan.ts',
    "      pod.status?.phase !== 'Succeeded' &&",
    "      (isReady(pod) || isDeleting(pod)) &&\n      pod.status?.phase !== 'Succeeded' &&",
  ),
  slip(
    'pods leave the slices of a service as soon as they begin to go',
    ['endpointslice'],
    '../controllers/endpoint-slice/plan.ts',
    "      pod.status?.phase !== 'Succeeded' &&",
    "      !isDeleting(pod) &&\n      pod.status?.phase !== 'Succeeded' &&",
  ),
  slip(
    'endpoints are looked at up to the first',
    ['endpointslice'],
    endpointSlice,
    'eachOf(endpoints, endpointsAt,',
    'eachOf(endpoints.slice(0, 1), endpointsAt,',
  ),
  slip(
    'the old topology of an endpoint is kept',
    ['endpointslice'],
    endpointSlice,
    '.map(({ deprecatedTopology: _, ...endpoint }) => endpoint)',
    '',
  ),
  slip(
    'one false condition of an endpoint makes the others false',
    ['endpointslice'],
    endpointSlice,
    'for (const endpoint of slice.endpoints ?? []) endpoint.conditions ??= {};',
    "for (const endpoint of slice.endpoints ?? []) { endpoint.conditions ??= {}; if (endpoint.conditions['terminating'] === true) endpoint.conditions['ready'] = false; }",
  ),
  slip(
    'an update of a slice drops its hints',
    ['endpointslice'],
    endpointSlice,
    '  prepareUpdate: dropTermination,',
    '  prepareUpdate: (next, previous, context) => {\n    dropTermination(next, previous, context);\n    for (const endpoint of next.endpoints ?? []) delete endpoint.hints;\n  },',
  ),
  slip(
    'the zone of an endpoint is lost',
    ['endpointslice'],
    endpointSlice,
    'for (const endpoint of slice.endpoints ?? []) endpoint.conditions ??= {};',
    'for (const endpoint of slice.endpoints ?? []) {\n    endpoint.conditions ??= {};\n    delete (endpoint as { zone?: string }).zone;\n  }',
  ),
  slip(
    'an endpoint that is terminating is never serving',
    ['endpointslice'],
    endpointSlice,
    "withEmptyLists: (slice) => emptyListsAreNull(slice, ['endpoints', 'ports']),",
    "withEmptyLists: (slice) => {\n    emptyListsAreNull(slice, ['endpoints', 'ports']);\n    for (const { conditions } of slice.endpoints ?? []) if (conditions?.['terminating']) conditions['serving'] = false;\n  },",
  ),
  slip(
    'what a slice becomes by an update is not looked at',
    ['endpointslice'],
    endpointSlice,
    '  validate,\n  kept: withoutDeprecated,',
    '  validateCreate: validate,\n  kept: withoutDeprecated,',
  ),
  slip(
    'an endpoint of which nothing is said is ready',
    ['endpointslice'],
    endpointSlice,
    'endpoint.conditions ??= {};',
    'if (Object.keys(endpoint.conditions ?? {}).length === 0) endpoint.conditions = { ready: true };',
  ),
  slip(
    'a zone may be named twice in hints',
    'endpointslice',
    endpointSlice,
    "const repeated = seen.has(name) ? [duplicate(here.child('name'), name)] : [];",
    'const repeated: FieldError[] = [];',
  ),
  slip(
    'an endpoint may have any host name',
    ['endpointslice'],
    endpointSlice,
    'for (const problem of dnsLabel(hostname))',
    'for (const problem of dnsSubdomain(hostname))',
  ),
  slip(
    'hints of a slice may name any number of zones',
    ['endpointslice'],
    endpointSlice,
    'const maxZoneHints = 8;',
    'const maxZoneHints = 80;',
  ),
  slip(
    'an endpoint may be on a node of any name',
    ['endpointslice'],
    endpointSlice,
    'for (const problem of dnsSubdomain(nodeName))',
    'for (const problem of nodeName.length > 253 ? dnsSubdomain(nodeName) : [])',
  ),
  slips(
    'an update of a slice keeps the old topology',
    ['endpointslice'],
    [
      { file: 'kinds/discovery/endpoint-slice.ts', from: '  kept: withoutDeprecated,\n', to: '' },
      {
        file: 'kinds/discovery/endpoint-slice.ts',
        from: 'prepareCreate: (slice, context) => dropTermination(slice, undefined, context),',
        to: 'prepareCreate: (slice, context) => { dropTermination(slice, undefined, context); for (const one of slice.endpoints ?? []) delete one.deprecatedTopology; },',
      },
    ],
  ),
  fault(
    'what is no slice may become one by a strategic merge patch',
    ['endpointslice', 'component'],
    lenient({ method: 'PATCH', path: /\/endpointslices\/[^/]+$/, header: { 'content-type': /strategic/ } }, [422]),
  ),
  slip(
    'the host name of an endpoint may have capitals',
    ['endpointslice'],
    endpointSlice,
    'for (const problem of dnsLabel(hostname))',
    'for (const problem of dnsLabel(hostname.toLowerCase()))',
  ),
  slip(
    'an endpoint slice may not have all of its 1000 endpoints',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    '...(endpoints.length > maxEndpoints',
    '...(endpoints.length >= maxEndpoints',
  ),
  slip(
    'conditions of endpoints that end are dropped from slices that change',
    ['endpointslice'],
    'kinds/discovery/endpoint-slice.ts',
    "if (features.enabled('EndpointSliceTerminatingCondition') || tellsTermination(previous)) return;",
    'if (!previous || tellsTermination(previous)) return;',
  ),
  slip(
    'a topology of old is dropped where the first endpoint has one',
    ['endpointslice'],
    endpointSlice,
    'slice.endpoints?.some(({ deprecatedTopology }) => deprecatedTopology !== undefined)',
    'slice.endpoints?.[0]?.deprecatedTopology !== undefined',
  ),
];
