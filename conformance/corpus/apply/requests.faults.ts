import { answerStatus, answerWith, changeRequest, statusObject } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { applying } from '../matches.ts';
import { leavingOut, unsupported } from '../meddling.ts';

/** What the request of an apply may say, and how it is answered. */
export default [
  fault(
    'apply answers 200 when it creates',
    ['apply', 'verbs', 'responses'],
    answerStatus(200, { method: 'PATCH', instead: 201 }),
  ),
  fault(
    'apply takes managedFields in its body',
    'apply',
    changeRequest('', leavingOut('metadata', 'managedFields'), {
      method: 'PATCH',
      header: { 'content-type': /apply/ },
    }),
  ),
  fault(
    'what is applied to a status has to be JSON',
    ['verbs', 'apply'],
    answerWith(400, statusObject(400, 'BadRequest'), {
      method: 'PATCH',
      path: /\/status$/,
      header: { 'content-type': /apply/ },
      body: /^\s*[^\s{]/,
    }),
  ),
  fault(
    'the status of a custom object cannot be applied',
    ['apply', 'verbs', 'service'],
    unsupported({ method: 'PATCH', path: /touchstone\.example.*\/status$/, header: applying }),
  ),
  fault(
    'an apply that makes a cluster-scoped custom object answers 200',
    ['responses', 'apply'],
    answerStatus(200, {
      method: 'PATCH',
      path: /touchstone\.example\/v1\/[a-z0-9]+\/[^/]+$/,
      header: { 'content-type': /apply/ },
      instead: 201,
    }),
  ),
  fault(
    'an apply that makes something is 200',
    ['responses', 'apply'],
    answerStatus(200, { method: 'PATCH', header: applying, instead: 201 }),
  ),
  slip(
    'an apply may bring managed fields',
    ['apply'],
    'patch/apply/apply.ts',
    "(metadata['managedFields'] ?? null) !== null",
    "(metadata['managedFields'] ?? '') === 'none'",
  ),
  slip(
    'apply takes another apiVersion in its body',
    ['apply'],
    'patch/apply/apply.ts',
    "if (config['apiVersion'] !== apiVersion) {",
    'if (false) {',
  ),
  slip(
    'what is no number is applied where a number may have a fraction',
    ['apply'],
    'patch/apply/check-typed.ts',
    "if (scalar === 'int32' || scalar === 'int64' || scalar === 'double') {",
    "if (scalar === 'int32' || scalar === 'int64') {",
  ),
  slip(
    'a configuration in JSON is not taken',
    ['verbs', 'apply'],
    'registry/patch.ts',
    'return applyPatch(call, await yaml.decodeYaml(body));',
    "if (body[0] === 0x7b) throw badRequest('the configuration must be YAML');\n    return applyPatch(call, await yaml.decodeYaml(body));",
  ),
  slip(
    'a configuration may leave out its kind',
    ['verbs'],
    'registry/apply.ts',
    'if (kind !== served.kind || typeof',
    'if ((kind !== undefined && kind !== served.kind) || typeof',
  ),
  slip(
    'the note of what was last applied holds itself',
    'apply',
    'patch/apply/last-applied.ts',
    'canonicalJson(withoutAnnotation(config))',
    'canonicalJson(config)',
  ),
  slip(
    'an empty note of what was last applied is renewed',
    'apply',
    'patch/apply/last-applied.ts',
    ' || !annotations[annotation]) return;',
    ') return;',
  ),
  fault(
    'an APIService cannot be applied',
    ['verbs'],
    unsupported({ method: 'PATCH', path: /\/apiservices\//, header: { 'content-type': /apply-patch/ } }),
  ),
];
