import { changeAnswer, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { custom } from '../matches.ts';
import { jsonOf } from '../meddling.ts';

const prepare = 'registry/steps/prepare.ts';

/** A JSON patch of nothing but the status is one of the status, wherever it is sent. */
const statusReached = sabotage('reaches the status', () => ({
  request: (request) => {
    const { method, path, headers, body } = request;
    const fits = method === 'PATCH' && custom.test(path) && /json-patch/.test(String(headers['content-type']));
    const operations = fits && !/\/(status|scale)$/.test(path) ? jsonOf(body) : undefined;
    const isStatus = operations?.every((operation: { path: string }) => operation.path.startsWith('/status'));
    return isStatus ? { ...request, path: `${path}/status` } : request;
  },
}));

/** Writes to a status, and to the object beside it. */
export default [
  slip(
    'a custom object may be created with a status',
    ['kinds', 'verbs'],
    prepare,
    "if (resource.splitsStatus && !resource.rules.subresources?.['status']?.setByCreate) {",
    "if (resource.splitsStatus && !resource.custom && !resource.rules.subresources?.['status']?.setByCreate) {",
  ),
  slip(
    'a custom object is created with its status',
    ['paths', 'verbs', 'responses'],
    prepare,
    'if (resource.splitsStatus && !resource.rules',
    'if (resource.splitsStatus && !resource.custom && !resource.rules',
  ),
  slip(
    'an update of a custom object changes its status',
    ['paths', 'verbs', 'responses'],
    prepare,
    "if (resource.splitsStatus && !setByUpdate(resource)) keepMember(next, stored, 'status');",
    "if (resource.splitsStatus && !resource.custom && !setByUpdate(resource)) keepMember(next, stored, 'status');",
  ),
  slip(
    'an update of a status changes the spec as well',
    ['paths', 'verbs', 'responses'],
    prepare,
    "if (member !== 'status' && member !== 'metadata') keepMember(next, stored, member);",
    '',
  ),
  slip(
    'a status of a custom object takes labels along',
    ['kinds', 'verbs'],
    'custom-resources/custom-rules.ts',
    '  next.metadata = { ...metadata, ...(resourceVersion && { resourceVersion }), ...(managedFields && { managedFields }) };',
    '  const { labels } = next.metadata;\n  next.metadata = { ...metadata, ...(labels && { labels }), ...(resourceVersion && { resourceVersion }), ...(managedFields && { managedFields }) };',
  ),
  slip(
    'a status of a custom object may hold what its type forbids',
    ['versioning', 'component', 'fields'],
    'custom-resources/custom-rules.ts',
    '=> validate(next, previous, true);',
    '=> (next && previous ? [] : validate(next, previous, true));',
  ),
  fault('a JSON patch of a custom object reaches its status', ['component', 'verbs'], statusReached),
  slip(
    'apply to an object changes its status as well',
    ['component', 'apply', 'verbs', 'content', 'job', 'ingress', 'kinds'],
    'registry/steps/prepare.ts',
    "if (resource.splitsStatus && !setByUpdate(resource)) keepMember(next, stored, 'status');",
    "if (resource.splitsStatus && !draft.managed && !setByUpdate(resource)) keepMember(next, stored, 'status');",
  ),
  slip(
    'what apply makes has the status that was applied',
    ['component', 'apply', 'verbs', 'kinds', 'job', 'ingress'],
    'registry/steps/prepare.ts',
    'if (resource.splitsStatus && !resource.rules.subresources',
    'if (resource.splitsStatus && !draft.managed && !resource.rules.subresources',
  ),
  slip(
    'the status of a Deployment takes labels along',
    ['service', 'meta'],
    'kinds/apps/deployment.ts',
    "const status = checkedStatus<Deployment>(validateStatus, 'labels');",
    'const status = checkedStatus<Deployment>(validateStatus);',
  ),
  fault(
    'who reads a status sees nothing of its object but the metadata',
    ['responses'],
    changeAnswer('', ({ kind, apiVersion, metadata, status }) => ({ kind, apiVersion, metadata, status }), {
      method: 'GET',
      path: /\/status$/,
    }),
  ),
  slip(
    'a write to the status of a custom object changes its finalizers',
    ['component'],
    'custom-resources/custom-rules.ts',
    '  delete metadata.managedFields;',
    '  delete metadata.managedFields;\n  if (next.metadata.finalizers) metadata.finalizers = next.metadata.finalizers;',
  ),
  slip(
    'an update without a status takes away the status that there is',
    ['component'],
    'registry/steps/prepare.ts',
    "if (resource.splitsStatus && !setByUpdate(resource)) keepMember(next, stored, 'status');",
    "if (resource.splitsStatus && next['status'] !== undefined && !setByUpdate(resource)) keepMember(next, stored, 'status');",
  ),
  slip(
    'a status of a custom object may be written without a version',
    ['component', 'responses'],
    'registry/preconditions.ts',
    'resource.rules.unconditionalUpdate === false && !standInOf(call);',
    'resource.rules.unconditionalUpdate === false && !call.subresource;',
  ),
  slip(
    'who tells the status of a deployment may label it',
    ['component'],
    'kinds/status-subresource.ts',
    'if (previous.metadata.labels) next.metadata.labels = previous.metadata.labels;\n',
    'if (previous.metadata.labels) next.metadata.labels = { ...previous.metadata.labels, ...next.metadata.labels };\n',
  ),
  slip(
    'the status of a budget may allow fewer than no disruptions',
    ['component'],
    'kinds/policy/pod-disruption-budget.ts',
    "...counts.flatMap((field) => nonNegative(status[field], FieldPath.of('status', field))),",
    "...counts.slice(1).flatMap((field) => nonNegative(status[field], FieldPath.of('status', field))),",
  ),
  slip(
    'a deployment may tell of more available pods than it has',
    ['component'],
    'kinds/apps/deployment.ts',
    "...replicaCounts('updatedReplicas', 'readyReplicas', 'availableReplicas')(next, previous),",
    "...replicaCounts('updatedReplicas', 'readyReplicas')(next, previous),",
  ),
  slip(
    'a condition of a budget may come twice',
    ['component'],
    'kinds/conditions.ts',
    "type !== '' && seen.has(type)",
    "type === '' && seen.has(type)",
  ),
  slip(
    'the reason of a condition of a budget may be a sentence',
    ['component'],
    'kinds/conditions.ts',
    'if (!reasonForm.test(reason))',
    "if (reason === ' ')",
  ),
  slip(
    'pods may be available where none is ready',
    ['component'],
    'kinds/replica-counts.ts',
    "numbers.readyReplicas ?? 0, 'readyReplicas'",
    "numbers.readyReplicas, 'readyReplicas'",
  ),
  slip(
    'a pod may be meant for a node by any name',
    ['component'],
    'kinds/core/pod/update.ts',
    "...named(node, dnsSubdomain, FieldPath.of('status', 'nominatedNodeName')),",
    '',
  ),
  slip(
    'a pod may have two addresses of one family',
    ['component'],
    'kinds/core/pod/update.ts',
    '...oneOfEachFamily(next.status?.podIPs),',
    '',
  ),
  slip(
    'a condition of a flow schema needs no type',
    ['component'],
    'kinds/flowcontrol/conditions-status.ts',
    "type ? [] : [required(here.child('type'), 'must not be empty')]",
    'type ? [] : []',
  ),
  slips(
    'a write to the status of a custom object changes what stands beside its spec',
    ['component'],
    [
      {
        file: 'custom-resources/custom-rules.ts',
        from: "if (name !== 'metadata' && name !== 'status') delete next[name];",
        to: "if (name === 'spec') delete next[name];",
      },
      {
        file: 'custom-resources/custom-rules.ts',
        from: "filter(([name]) => name !== 'metadata' && name !== 'status');",
        to: "filter(([name]) => name === 'spec');",
      },
    ],
  ),
  slip(
    'what is wrong in the status of a custom object is told as if the status were the object',
    ['component'],
    'custom-resources/custom-rules.ts',
    'const throughStatus = (next: KubeObject, previous: KubeObject) => validate(next, previous, true);',
    "const throughStatus = function* (next: KubeObject, previous: KubeObject) {\n    const errors = yield* validate(next, previous, true);\n    return errors.map((error) => ({ ...error, field: error.field.replace(/^status\\./, '') }));\n  };",
  ),
  slip(
    'the message of a condition is measured in letters',
    ['component'],
    'kinds/conditions.ts',
    'Buffer.byteLength(message) > longestMessage',
    'message.length > longestMessage',
  ),
  slip(
    'the reason of a condition may be of any length',
    ['component'],
    'kinds/conditions.ts',
    '  if (reason.length > longestReason) errors.push(tooLong(at, longestReason));\n',
    '',
  ),
  slip(
    'a condition needs no time',
    ['component'],
    'kinds/conditions.ts',
    "      ...(lastTransitionTime ? [] : [required(here.child('lastTransitionTime'), 'must be set')]),\n",
    '',
  ),
  slip(
    'a write to the status of a certificate request changes its spec as well',
    'csr',
    'kinds/certificates/certificate-signing-request.ts',
    'keepSpec(next, previous);\n        next.status ??= {};',
    'next.status ??= {};',
  ),
];
