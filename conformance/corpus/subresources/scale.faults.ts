import { edited } from '../../sabotage/edited.ts';
import { answerWith, replaceIn, requestHeader, sabotage, statusObject } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { inProtobuf } from '../matches.ts';
import { jsonOf, refusal, remembering } from '../meddling.ts';

const scale = 'kinds/autoscaling/scale.ts';

/** Types are known by their kind: below a Deployment of whatever group there is what apps has there, and only in its own. */
const onlyBorrowed = sabotage('knows types by their kind', () => {
  const borrowed = new Set<string>();
  return {
    request: (request) => {
      const { group, names } = jsonOf(request.body)?.spec ?? {};
      if (names?.kind === 'Deployment') borrowed.add(`/apis/${group}/`);
      const isBelow = request.path.endsWith('/scale') && [...borrowed].some((start) => request.path.startsWith(start));
      return isBelow ? refusal(404, 'NotFound') : request;
    },
  };
});

/** A Scale keeps the version in which it was seen first. */
const firstVersion = remembering(() => {
  const versions = new Map<string, string>();
  return (body, { path }) => {
    if (body?.kind !== 'Scale') return body;
    const place = `${path} ${body.metadata?.uid}`;
    const version = versions.get(place) ?? body.metadata?.resourceVersion;
    versions.set(place, version);
    return edited(body, ['metadata', 'resourceVersion'], () => version);
  };
});

const scales = /\/scale$/;

/** The scale of workloads and custom objects. */
export default [
  fault('a Scale keeps the version in which it was seen first', ['service', 'rv'], firstVersion),
  fault(
    'a Scale takes no JSON patches',
    ['verbs', 'service'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'PATCH',
      path: scales,
      header: { 'content-type': /json-patch/ },
    }),
  ),
  fault('scale answers the object', 'service', replaceIn('kind', { path: /\/scale$/, with: 'Deployment' })),
  fault(
    'a Scale comes in JSON, whatever was asked for',
    ['content', 'service'],
    requestHeader('accept', 'application/json', { path: /\/scale$/, header: inProtobuf }),
  ),
  slip(
    'a Scale tells the replicas that are wanted as those that there are',
    ['service', 'paths'],
    scale,
    'status: { replicas: Number(valueAt(object, paths.statusReplicas) ?? 0), ...(selector && { selector }) },',
    'status: { replicas: Number(valueAt(object, paths.specReplicas) ?? 0), ...(selector && { selector }) },',
  ),
  slip(
    'a Scale tells no namespace',
    ['service', 'paths', 'meta'],
    scale,
    '      ...(namespace && { namespace }),\n',
    '',
  ),
  slip('a Scale does not tell whom it selects', ['paths', 'service'], scale, ', ...(selector && { selector }) }', ' }'),
  slip(
    'a Scale of custom objects tells that there are none',
    ['service'],
    scale,
    'Number(valueAt(object, paths.statusReplicas) ?? 0)',
    'Number((paths === usualPaths && valueAt(object, paths.statusReplicas)) || 0)',
  ),
  slip(
    'a Scale may be negative',
    ['verbs', 'paths'],
    scale,
    "if (typeof replicas === 'number' && replicas >= 0) return;",
    "if (typeof replicas === 'number') return;",
  ),
  slip(
    'a Scale of custom objects does not tell whom it selects',
    ['verbs', 'paths'],
    'custom-resources/scale.ts',
    '    ...(scale.labelSelectorPath && { selector: scale.labelSelectorPath }),\n',
    '',
  ),
  slip(
    'a Scale need not be of the newest version',
    ['rv', 'service', 'verbs'],
    'registry/preconditions.ts',
    'if (asked > 0 && metadata.resourceVersion',
    'if (asked > 0 && !standInOf(call) && metadata.resourceVersion',
  ),
  slip(
    'a Scale may be written whatever version it is said to be of',
    ['service'],
    'kinds/autoscaling/scale.ts',
    '  object.metadata.resourceVersion = document.metadata.resourceVersion;\n',
    '',
  ),
  slip(
    'nobody owns the replicas that the Scale of a StatefulSet sets',
    ['apply'],
    'registry/steps/managers.ts',
    'const ofDocument = standIn.hasOwners\n',
    "const ofDocument = standIn.hasOwners && call.resource.plural !== 'statefulsets'\n",
  ),
  slip(
    'a Scale tells of a selector its labels alone',
    ['service'],
    'base/selectors/label-selector.ts',
    'return equalities.length + expressions.length === 0 ? everyLabels : compile([...equalities, ...expressions]);',
    'return equalities.length + expressions.length === 0 ? everyLabels : compile(equalities.length ? equalities : expressions);',
  ),
  slip(
    'the Scale of a custom object tells the replicas that are wanted as those there are',
    ['component', 'verbs', 'kinds'],
    'custom-resources/scale.ts',
    'statusReplicas: scale.statusReplicasPath,',
    'statusReplicas: scale.specReplicasPath,',
  ),
  fault('a custom type has no scale where a built-in kind is called the same', ['service'], onlyBorrowed),
  slip(
    'what is going cannot be scaled',
    ['deletion'],
    'registry/attempt.ts',
    'const proposal = yield* propose(call, given, live);',
    "if (live?.metadata.deletionTimestamp && call.subresource === 'scale') throw notFound(subjectOf(call.resource), call.name);\n  const proposal = yield* propose(call, given, live);",
  ),
];
