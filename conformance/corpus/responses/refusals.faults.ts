import { edited } from '../../sabotage/edited.ts';
import { answerHeader, answerStatus, changeAnswer } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { custom } from '../matches.ts';
import { wherever } from '../meddling.ts';

const statusError = 'base/status-error.ts';

const withoutPositions = (body: Json): Json =>
  JSON.parse(
    JSON.stringify(body, (key, value) => (key === 'field' ? String(value).replaceAll(/\[\d+\]/g, '') : value)),
  );

/** Codes and details of a Status that refuses. */
export default [
  fault(
    'a refusal is 404 for cluster-scoped kinds',
    'errors',
    answerStatus(404, { instead: 403, path: /\/(clusterroles|ingressclasses)/ }),
  ),
  fault(
    'a conflict does not tell which object is meant',
    ['errors', 'responses'],
    changeAnswer('', (body) => (body?.reason === 'Conflict' ? edited(body, ['details'], () => undefined) : body)),
  ),
  fault(
    'that a version is too large is told as a timeout',
    ['rv', 'errors'],
    wherever((body) => (body?.code === 504 ? { ...body, message: 'Timeout', details: {} } : body)),
  ),
  fault(
    'that the name of a custom object is taken is told as a conflict',
    ['errors', 'names', 'responses'],
    changeAnswer('', (body) => (body?.reason === 'AlreadyExists' ? { ...body, reason: 'Conflict' } : body), {
      method: 'POST',
      path: custom,
    }),
  ),
  fault(
    'causes do not say at which position a field is',
    ['errors', 'responses', 'ingress'],
    changeAnswer('', withoutPositions, { method: ['POST', 'PUT', 'PATCH'] }),
  ),
  fault(
    'refusals of custom types are plain text',
    'content',
    answerHeader('content-type', 'text/plain', { path: /touchstone\.example.*missing$/ }),
  ),
  fault(
    'a stale version is told as a name that is taken',
    ['errors', 'rv', 'responses'],
    wherever((body) => (body?.reason === 'Conflict' ? { ...body, reason: 'AlreadyExists' } : body)),
  ),
  slip(
    'what is no HTTP gets no Status',
    ['content', 'errors'],
    'request/http/http1.ts',
    "server.on('clientError', (error, socket) => refuse(error, socket, listener));",
    '',
  ),
  slip(
    'a method that is not allowed has no reason',
    ['errors', 'verbs'],
    statusError,
    "reason: 'MethodNotAllowed',\n    message: 'the server does not allow",
    "message: 'the server does not allow",
  ),
  slip(
    'who is not found is not named in the details',
    ['responses', 'errors'],
    statusError,
    ' not found`,\n    details: named(subject, name),',
    ' not found`,\n    details: {},',
  ),
  slip(
    'a name that is taken is not in the details',
    ['responses', 'errors'],
    statusError,
    ' already exists`,\n    details: named(subject, name),',
    ' already exists`,\n    details: {},',
  ),
  slip(
    'a refusal tells the first cause alone',
    ['responses', 'component'],
    statusError,
    '.slice(0, most.causes)',
    '.slice(0, 1)',
  ),
  slip(
    'what goes wrong is told in JSON to who takes YAML',
    ['content', 'errors'],
    'request/negotiate.ts',
    "if (found && !parameters.has('as')) return found;",
    "if (found && found !== 'application/yaml' && !parameters.has('as')) return found;",
  ),
  slip(
    'a refusal of what is invalid does not tell the group of its kind',
    ['errors', 'responses'],
    'base/status-error.ts',
    'details: { ...named(subject, name), causes },',
    "details: { ...named({ ...subject, group: '' }, name), causes },",
  ),
  slip(
    'what is invalid is told without its group',
    ['params'],
    'registry/resource.ts',
    'group: rules.validationGroup ?? group,',
    "group: rules.validationGroup ?? '',",
  ),
  slip(
    'what is invalid is told by the name of its resource',
    ['params'],
    'registry/resource.ts',
    '  resource: served.kind,\n',
    '  resource: served.kind.toLowerCase(),\n',
  ),
];
