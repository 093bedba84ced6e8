import { type Fault, slip } from './fault.ts';

const requests = 'kinds/certificates/certificate-signing-request.ts';
const slices = 'kinds/discovery/endpoint-slice.ts';
const ingresses = 'kinds/networking/ingress.ts';
const jobs = 'kinds/batch/job.ts';
const events = 'kinds/events/event-rules.ts';

export const fillingSlips: readonly Fault[] = [
  slip(
    'what else is known of the author of a request is lost',
    ['csr'],
    requests,
    '...(Object.keys(extra).length > 0 && { extra }),',
    '...(Object.keys(extra).length > 1 && { extra }),',
  ),
  slip(
    'a certificate may not have text before it',
    ['csr'],
    'kinds/certificates/issued-certificate.ts',
    "return blocks > 0 ? '' :",
    "return blocks > 0 && pem.toString().startsWith('-----BEGIN') ? '' :",
  ),
  slip('one usage is not known', ['csr'], requests, "  'microsoft sgc',\n", ''),
  slip(
    'ten minutes are too short for a certificate',
    ['csr', 'limits'],
    requests,
    'expirationSeconds < minExpirationSeconds',
    'expirationSeconds <= minExpirationSeconds',
  ),
  slip(
    'a hundred ports of a slice are too many',
    ['endpointslice'],
    slices,
    'ports.length > maxPorts',
    'ports.length >= maxPorts',
  ),
  slip('a port of a slice may not speak SCTP', ['endpointslice'], slices, "['SCTP', 'TCP', 'UDP']", "['TCP', 'UDP']"),
  slip(
    'an update of a slice drops its hints',
    ['endpointslice'],
    slices,
    '  prepareUpdate: prepare,',
    '  prepareUpdate: (next, previous, context) => {\n    prepare(next, previous, context);\n    for (const endpoint of next.endpoints ?? []) delete endpoint.hints;\n  },',
  ),
  slip(
    'the zone of an endpoint is lost',
    ['endpointslice'],
    slices,
    'for (const endpoint of slice.endpoints ?? []) endpoint.conditions ??= {};',
    'for (const endpoint of slice.endpoints ?? []) {\n    endpoint.conditions ??= {};\n    delete (endpoint as { zone?: string }).zone;\n  }',
  ),
  slip(
    'an endpoint that is terminating is never serving',
    ['endpointslice'],
    slices,
    "  emptyListsAreNull(next, ['endpoints', 'ports']);",
    "  emptyListsAreNull(next, ['endpoints', 'ports']);\n  for (const { conditions } of next.endpoints ?? []) if (conditions?.['terminating']) conditions['serving'] = false;",
  ),
  slip(
    'the hosts of the tls of an Ingress have no stars',
    ['ingress'],
    ingresses,
    "...eachOf(hosts, here.child('hosts'), validateHost),",
    "...eachOf(hosts, here.child('hosts'), (host, at) => dnsSubdomain(host).map((problem) => invalidValue(at, host, problem))),",
  ),
  slip(
    'a path that is anyone’s affair must be given',
    ['ingress'],
    'kinds/networking/ingress-rules.ts',
    'return path ? absolute : [];',
    'return absolute;',
  ),
  slip(
    'a default backend that is a resource is none',
    ['ingress'],
    ingresses,
    "if (backend) return validateBackend(backend, specAt.child('defaultBackend'));",
    "if (backend?.service) return validateBackend(backend, specAt.child('defaultBackend'));",
  ),
  slip(
    'what is wrong with a port of a load balancer is not told',
    ['ingress'],
    ingresses,
    "      port.protocol ??= '';",
    "      port.protocol ??= '';\n      delete (port as { error?: string }).error;",
  ),
  slip(
    'an Ingress keeps the Secret of its first tls alone',
    ['ingress'],
    ingresses,
    "for (const tls of spec.tls ?? []) if (tls.secretName === '') delete tls.secretName;",
    "for (const [at, tls] of (spec.tls ?? []).entries()) if (tls.secretName === '' || at > 0) delete tls.secretName;",
  ),
  slip(
    'a namespace keeps no conditions',
    ['namespace'],
    'kinds/core/namespace.ts',
    '        keepSpec(next, previous);\n      },\n      validateUpdate: validatePhase,',
    '        keepSpec(next, previous);\n        delete next.status?.conditions;\n      },\n      validateUpdate: validatePhase,',
  ),
  slip(
    'a finished Job that may go at once is kept for ever',
    ['job'],
    jobs,
    "  spec.completionMode ??= 'NonIndexed';",
    "  spec.completionMode ??= 'NonIndexed';\n  if (!spec.ttlSecondsAfterFinished) delete spec.ttlSecondsAfterFinished;",
  ),
  slip(
    'a Job that shall not be retried is retried six times',
    ['job'],
    jobs,
    'spec.backoffLimit ??= 6;',
    'spec.backoffLimit ||= 6;',
  ),
  slip(
    'a Job cannot be suspended once it is made',
    ['job'],
    jobs,
    '    ...trackingIsNotAdded(next, previous),',
    "    ...trackingIsNotAdded(next, previous),\n    ...(next.spec?.suspend && !suspended ? [forbiddenField(specAt.child('suspend'), 'cannot be set any more')] : []),",
  ),
  slip(
    'how many pods of a Job are ready is lost',
    ['job'],
    jobs,
    '  for (const condition of status.conditions ?? []) {\n    condition.lastProbeTime',
    '  delete status.ready;\n  for (const condition of status.conditions ?? []) {\n    condition.lastProbeTime',
  ),
  slip(
    'two conditions of a Job are one',
    ['job'],
    jobs,
    '        next.status ??= {};\n      },\n      validateUpdate: validateStatus,',
    '        next.status ??= {};\n        if (next.status.conditions) next.status.conditions = next.status.conditions.slice(-1);\n      },\n      validateUpdate: validateStatus,',
  ),
  slip(
    'a note of a kilobyte is too long',
    ['event'],
    events,
    "Buffer.byteLength(text ?? '') > limit",
    "Buffer.byteLength(text ?? '') >= limit",
  ),
  slip(
    'the series of an Event does not go on',
    ['event', 'verbs'],
    events,
    'const fixed = [\n',
    "const fixed = [\n  'series',\n",
  ),
  slip(
    'how often an Event came is counted from one',
    ['event', 'verbs'],
    'kinds/events/event-conversion.ts',
    "  event['regarding'] ??= {};",
    "  event['regarding'] ??= {};\n  const series = event['series'] as { count?: number } | undefined;\n  if (series?.count) event['series'] = { ...series, count: series.count - 1 };",
  ),
];
