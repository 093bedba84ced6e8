import { edited } from '../../sabotage/edited.ts';
import { changeAnswer, forceQuery, ignoreQuery, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { applying, inProtobuf, itemsOf } from '../matches.ts';
import { without } from '../meddling.ts';

const managers = 'patch/apply/managers.ts';
const registryManagers = 'registry/steps/managers.ts';

const unbooked = (body: Json): Json =>
  edited(body, ['metadata', 'managedFields'], (entries) =>
    entries?.filter((entry: Json) => entry.subresource !== 'status' || entry.operation !== 'Update'),
  );

/** Of those who have written through /scale nothing says so. */
const unscaled = (body: Json): Json =>
  edited(body, ['metadata', 'managedFields'], (entries) =>
    entries?.map((entry: Json) => (entry.subresource === 'scale' ? without('subresource', entry) : entry)),
  );

/** Who a manager is: by name, operation, version and subresource. */
export default [
  fault(
    'apply needs no fieldManager',
    'apply',
    forceQuery('fieldManager', 'default', {
      method: 'PATCH',
      query: { fieldManager: false },
      header: { 'content-type': /apply/ },
    }),
  ),
  fault(
    'writes to a status have no manager',
    ['params', 'apply'],
    ignoreQuery('fieldManager', {
      path: /\/status$/,
      method: ['PUT', 'PATCH'],
      header: { 'content-type': /(json|merge-patch\+json)$/ },
    }),
  ),
  fault(
    'JSON patches have no manager',
    ['params', 'apply'],
    ignoreQuery('fieldManager', { header: { 'content-type': /json-patch/ } }),
  ),
  fault(
    'the default manager is the whole user agent',
    'apply',
    requestHeader('user-agent', 'mytool-v1.2 (linux)', { header: { 'user-agent': /^mytool/ } }),
  ),
  fault(
    'what is applied to Secrets is booked as an update',
    ['apply'],
    changeAnswer('', (body) => edited(body, ['metadata', 'managedFields', '*', 'operation'], () => 'Update'), {
      path: itemsOf('secrets'),
    }),
  ),
  fault(
    'who replaces the status of an Ingress is not booked',
    ['apply'],
    changeAnswer('', unbooked, { path: /\/ingresses\/[^/]+(\/status)?$/ }),
  ),
  fault(
    'who creates is known by his program alone',
    ['apply', 'params'],
    ignoreQuery('fieldManager', { method: 'POST' }),
  ),
  fault(
    'managers through a Scale are booked as others are',
    ['apply'],
    changeAnswer('', unscaled, { path: /\/(deployments|replicasets|statefulsets)\/[^/]+(\/scale)?$/ }),
  ),
  slip(
    'who writes an object and its status is one manager',
    ['apply'],
    managers,
    "    ...(operation === 'Update' && { apiVersion }),\n    ...(subresource && { subresource }),",
    "    ...(operation === 'Update' && { apiVersion }),",
  ),
  slip(
    'managers of all versions of an API are one',
    ['apply', 'versioning'],
    managers,
    "...(operation === 'Update' && { apiVersion }),",
    '',
  ),
  slip(
    'who applies and who updates are one manager when they have one name',
    ['apply'],
    managers,
    "    manager: name,\n    operation,\n    ...(operation === 'Update' && { apiVersion }),",
    '    manager: name,\n    apiVersion: operation ? apiVersion : undefined,',
  ),
  slip(
    'the entries of updates are never put together',
    ['apply'],
    managers,
    'export const maximumUpdateManagers = 10;',
    'export const maximumUpdateManagers = 1000;',
  ),
  slip(
    'a create does not heed the manager that it names',
    ['apply', 'params'],
    registryManagers,
    'manager: options.fieldManager || defaultManager(call.userAgent),',
    'manager: (call.name && options.fieldManager) || defaultManager(call.userAgent),',
  ),
  slip(
    'managers of a status are not told from those of the object',
    ['apply'],
    registryManagers,
    '    apiVersion: resource.served.apiVersion,\n    subresource,\n    now',
    "    apiVersion: resource.served.apiVersion,\n    subresource: '',\n    now",
  ),
  slip(
    'writes to a subresource are booked as those to the object',
    ['apply'],
    registryManagers,
    '    subresource,\n    now: services.clock.now(),',
    "    subresource: subresource === 'status' ? '' : subresource,\n    now: services.clock.now(),",
  ),
  slip(
    'a manager may have a name of any length',
    ['apply', 'params'],
    'patch/apply/field-manager.ts',
    'if (Buffer.byteLength(name) > maximumBytes) errors.push(tooLong(at, maximumBytes));',
    '',
  ),
  slip(
    'the name of a manager may hold what cannot be printed',
    ['apply', 'params'],
    'patch/apply/field-manager.ts',
    'if (!printable.test(character)) errors.push(',
    "if (character === '') errors.push(",
  ),
  slip(
    'an apply to the status takes the place of what the same manager applied to the object',
    ['apply'],
    managers,
    '...(subresource && { subresource }),\n  });',
    "...(operation === 'Update' && subresource && { subresource }),\n  });",
  ),
  slip(
    'what kubectl applies on the server does not renew what it noted as last applied',
    ['apply'],
    'patch/apply/apply.ts',
    'if (request.manager === kubectl) renewLastApplied(',
    'if (request.manager === kubectl && !live) renewLastApplied(',
  ),
  slip(
    'who updates a subresource is known by his program alone',
    ['apply', 'params'],
    'registry/steps/managers.ts',
    'trackUpdate({ ...trackedWrite(call), live, next })',
    'trackUpdate({ ...trackedWrite(call), ...(call.subresource && { manager: defaultManager(call.userAgent) }), live, next })',
  ),
  fault(
    'who writes in protobuf is known by his program alone',
    'content',
    ignoreQuery('fieldManager', { header: { 'content-type': /protobuf/ } }),
  ),
  slip(
    'a manager has a name of ASCII alone',
    ['params'],
    'patch/apply/field-manager.ts',
    'const printable = /^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]$/u;',
    'const printable = /^[\\x20-\\x7e]$/u;',
  ),
  slip(
    'the name of a manager is counted in letters',
    ['params'],
    'patch/apply/field-manager.ts',
    'if (Buffer.byteLength(name) > maximumBytes)',
    'if (name.length > maximumBytes)',
  ),
  slip(
    'who calls himself by a long name has no name',
    ['apply'],
    'patch/apply/field-manager.ts',
    'if (bytes > maximumBytes) break;',
    "if (bytes > maximumBytes) return 'unknown';",
  ),
  fault(
    'a rehearsed apply needs no fieldManager',
    ['apply'],
    forceQuery('fieldManager', 'unknown', {
      ...{ method: 'PATCH', query: { dryRun: true, fieldManager: false }, header: applying },
    }),
  ),
  fault(
    'an apply to a status needs no fieldManager',
    ['apply'],
    forceQuery('fieldManager', 'unknown', {
      ...{ method: 'PATCH', path: /\/status$/, query: { fieldManager: false }, header: applying },
    }),
  ),
  fault('who is answered in protobuf has no manager', ['params'], ignoreQuery('fieldManager', { header: inProtobuf })),
];
