import { answerStatus, changeAnswer, removeIn, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { itemsOf } from '../matches.ts';
import { jsonOf, lenient, remembering } from '../meddling.ts';

const echoesStatus = sabotage('answers what was sent', () => ({
  answer: (answer, request) => {
    const sent = jsonOf(request.body);
    const body = jsonOf(answer.body);
    if (request.method !== 'PUT' || !request.path.endsWith('/status') || answer.status !== 200 || !sent) return answer;
    const metadata = { ...sent.metadata, resourceVersion: body?.metadata?.resourceVersion };
    return { ...answer, body: Buffer.from(JSON.stringify({ ...sent, metadata })) };
  },
}));

/** An update is answered with the version that was there before. */
const oldVersion = remembering(() => {
  const last = new Map<string, string>();
  return (body, { method, path }) => {
    const version = body?.metadata?.resourceVersion;
    if (!/\/leases\/[^/]+$/.test(path) || version === undefined) return body;
    const before = last.get(path);
    last.set(path, version);
    return method === 'PUT' && before ? { ...body, metadata: { ...body.metadata, resourceVersion: before } } : body;
  };
});

/** Codes and bodies of answers to what succeeds. */
export default [
  fault('an update makes what is missing, it says', ['verbs', 'responses'], lenient({ method: 'PUT' }, [404])),
  fault('an update of a status is answered with what was sent', ['verbs', 'responses', 'paths'], echoesStatus),
  fault('an update of a Lease is answered with the version before', ['rv', 'verbs', 'responses'], oldVersion),
  fault(
    'a delete of an Ingress answers the object',
    ['responses', 'ingress'],
    changeAnswer(
      '',
      (body) => (body?.kind === 'Status' ? { ...body, kind: 'Ingress', apiVersion: 'networking.k8s.io/v1' } : body),
      {
        method: 'DELETE',
        path: itemsOf('ingresses'),
      },
    ),
  ),
  fault(
    'a patch of a missing object is answered 200',
    ['verbs', 'responses'],
    answerStatus(200, { method: 'PATCH', instead: 404 }),
  ),
  fault(
    'a DELETE answers 204 for custom objects',
    ['responses', 'verbs'],
    answerStatus(204, { method: 'DELETE', path: /touchstone\.example/ }),
  ),
  fault(
    'creates of cluster-scoped objects answer 200 with the request',
    ['verbs', 'responses', 'meta'],
    removeIn('metadata.uid', { method: 'POST', path: /\/v1\/(priorityclasses|ingressclasses)$/ }),
  ),
  slip(
    'an update that makes an object answers 200',
    ['verbs', 'responses'],
    'registry/replace.ts',
    'return document.showWritten(await write(call, proposed, { sent, emptied }, intent));',
    'return document.showWritten({ ...(await write(call, proposed, { sent, emptied }, intent)), code: 200 });',
  ),
  slip(
    'the answer to a delete does not tell the uid',
    ['responses', 'verbs'],
    'request/verbs/delete.ts',
    '    ...(object.metadata.uid && { uid: object.metadata.uid }),\n',
    '',
  ),
  slip(
    'a LimitRange that is not there cannot be put',
    ['verbs'],
    'kinds/core/limit-range.ts',
    'createOnUpdate: true,',
    '',
  ),
  slip(
    'who says what form he takes is not warned of an old version',
    ['versioning', 'responses'],
    'request/dispatch.ts',
    'if (deprecation && (!offer || takesSome(accept, offer)))',
    'if (deprecation && !offer)',
  ),
  fault('PodTemplates cannot be patched', 'service', answerStatus(405, { method: 'PATCH', path: /\/podtemplates\// })),
  slip(
    'one long object that is sent packed is cut short',
    ['collections'],
    'request/answer/respond.ts',
    'sendBody(exchange, small, refused);',
    'sendBody(exchange, small.subarray(0, small.length - 8), refused);',
  ),
  slip(
    'the answer to a delete tells the kind in place of the resource',
    ['responses'],
    'request/verbs/delete.ts',
    '    kind: resource.plural,',
    '    kind: resource.served.kind,',
  ),
  slip(
    'the answer to a delete does not tell the group',
    ['responses'],
    'request/verbs/delete.ts',
    '    ...(resource.group && { group: resource.group }),\n',
    '',
  ),
];
