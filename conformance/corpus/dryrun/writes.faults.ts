import { all, answerHeader, answerStatus, changeMethod, ignoreQuery, removeIn } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { applying, asTable, clusterItems, collectionOf, inProtobuf, itemsOf } from '../matches.ts';
import { lenient, misread } from '../meddling.ts';

const writes = ['POST', 'PUT', 'PATCH'];

const dry = { query: { dryRun: true } };

/** Dry runs of creates, updates, patches and applies. */
export default [
  fault(
    'a rehearsed JSON patch of what has no namespace is real',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PATCH', path: clusterItems, header: { 'content-type': /json-patch/ } }),
  ),
  fault(
    'who only rehearses is not warned of unknown fields',
    ['fields', 'dryrun'],
    answerHeader('warning', undefined, { method: writes, query: { dryRun: 'All' } }),
  ),
  fault(
    'a rehearsed update of a slice is real',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PUT', path: itemsOf('endpointslices') }),
  ),
  fault(
    'a rehearsed create of an Event has no uid',
    ['dryrun', 'meta'],
    removeIn('metadata.uid', { method: 'POST', path: collectionOf('events'), query: { dryRun: true } }),
  ),
  fault(
    'a rehearsed apply with force is real',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PATCH', query: { force: 'true' }, header: applying }),
  ),
  fault(
    'a rehearsed create of a generated name has none',
    ['dryrun', 'meta'],
    removeIn('metadata.name', { method: 'POST', query: { dryRun: 'All' }, body: /"generateName"/ }),
  ),
  fault(
    'a rehearsed create is 200',
    ['dryrun', 'responses'],
    answerStatus(200, { method: 'POST', query: { dryRun: 'All' }, instead: 201 }),
  ),
  fault(
    'a dry run of an apply is real',
    'dryrun',
    ignoreQuery('dryRun', { method: 'PATCH', header: { 'content-type': /apply/ } }),
  ),
  fault(
    'a dry run of a patch answers the object as it is',
    'dryrun',
    all(changeMethod('GET', { method: 'PATCH', ...dry })),
  ),
  fault('a dry run of a create answers 200', ['dryrun'], answerStatus(200, { method: 'POST', ...dry, instead: 201 })),
  fault('a dry run is not validated', 'dryrun', lenient(dry)),
  slip(
    'a rehearsal of a patch needs the right to read alone',
    ['dryrun', 'errors'],
    'request/access.ts',
    "? { type: 'resource', verb, group,",
    "? { type: 'resource', verb: verb === 'patch' && exchange.info.query.has('dryRun') ? 'get' : verb, group,",
  ),
  slip(
    'a rehearsed apply never conflicts',
    ['apply', 'dryrun'],
    'registry/options.ts',
    'force: apply && force === true,',
    "force: apply && (force === true || dryRun.includes('All')),",
  ),
  slip(
    'who only rehearses is warned where he asked for Strict',
    ['fields', 'dryrun'],
    'registry/options.ts',
    "fieldValidation: (fieldValidation || 'Warn') as FieldValidation,",
    "fieldValidation: (fieldValidation === 'Strict' && dryRun.includes('All') ? 'Warn' : fieldValidation || 'Warn') as FieldValidation,",
  ),
  slip(
    'who only rehearses needs no namespace',
    ['dryrun', 'namespace'],
    'admission/plugins/namespace-lifecycle.ts',
    "if (namespace === '') return undefined;",
    "if (namespace === '' || attributes.dryRun) return undefined;",
  ),
  slip(
    'an answer to a rehearsed update shows the object as it is',
    ['dryrun'],
    'store/rehearsal.ts',
    "return { stored: new StoredValue(key, revision, write), outcome: current ? 'written' : 'created', revision };",
    "return { stored: current ?? new StoredValue(key, revision, write), outcome: current ? 'kept' : 'created', revision };",
  ),
  slip(
    'a rehearsed create does not look whether the name is taken',
    ['dryrun'],
    'store/rehearsal.ts',
    '    if (current) throw new KeyExistsError(current);',
    '',
  ),
  slip(
    'a dry run of an update of kinds that an update may make is real',
    ['dryrun'],
    'registry/replace.ts',
    'await write(call, proposed,',
    'await write(createsMissing(call) ? { ...call, options: { ...call.options, dryRun: false } } : call, proposed,',
  ),
  slip(
    'a dry run of a strategic merge patch is real',
    ['dryrun'],
    'registry/patch.ts',
    'const written = await write(call, proposed, {',
    "const written = await write(type.startsWith('application/strategic') ? { ...call, options: { ...call.options, dryRun: false } } : call, proposed, {",
  ),
  slip(
    'a dry run of an apply meets no conflict',
    ['dryrun', 'apply'],
    'registry/apply.ts',
    'live, config, force });\n  yield;',
    'live, config, force: force || options.dryRun });\n  yield;',
  ),
  slip(
    'a dry run of a service keeps the node port that it names',
    ['dryrun', 'service', 'kinds'],
    'kinds/core/service/allocation.ts',
    'const refusal = from.takePort(port, claim);',
    'const refusal = from.takePort(port, { ...claim, dryRun: false, onAbandon: () => undefined });',
  ),
  fault(
    'a rehearsed apply that would make something answers 200',
    ['dryrun', 'apply'],
    answerStatus(200, { method: 'PATCH', header: applying, query: { dryRun: 'All' }, instead: 201 }),
  ),
  fault(
    'a dry run is real where its answer is to be protobuf',
    ['content', 'dryrun'],
    ignoreQuery('dryRun', { header: inProtobuf }),
  ),
  fault(
    'a dry run is real in the second version of a type',
    ['dryrun', 'component'],
    ignoreQuery('dryRun', { path: /touchstone\.example\/v2\// }),
  ),
  fault(
    'a dry run of an apply is real where its answer is to be a Table',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PATCH', header: { ...asTable, 'content-type': /apply/ } }),
  ),
  slip(
    'a rehearsed write that takes the last finalizer removes what is going',
    ['dryrun', 'deletion'],
    'store/rehearsal.ts',
    "    return { stored: current, outcome: 'removed', revision,",
    "    if (wanted.answer?.metadata.deletionTimestamp) await store.update(key, () => ({ remove: true }));\n    return { stored: current, outcome: 'removed', revision,",
  ),
  fault(
    'dryRun is not heeded beside fieldValidation',
    ['dryrun', 'fields', 'params'],
    misread({ query: { dryRun: true, fieldValidation: true } }, (query) => query.delete('dryRun')),
  ),
  fault(
    'dryRun is not heeded beside a fieldManager where the method is DELETE or PUT',
    ['dryrun', 'params'],
    misread({ method: 'PUT', query: { dryRun: true, fieldManager: true } }, (query) => query.delete('dryRun')),
  ),
  slip(
    'who rehearses a patch is not warned',
    ['fields', 'dryrun'],
    'registry/patch.ts',
    'if (same) heedFaults(',
    "if (same && !(call.options.dryRun && call.options.fieldValidation === 'Warn')) heedFaults(",
  ),
  slip(
    'a dry run of a put or an apply that would make an object answers 200',
    ['dryrun', 'responses'],
    'store/rehearsal.ts',
    "outcome: current ? 'written' : 'created', revision };",
    "outcome: 'written', revision };",
  ),
  slips(
    'a dry run of a service keeps the address and the port that it took',
    ['dryrun'],
    [
      {
        file: 'kinds/core/service/allocator.ts',
        from: 'if (claim.dryRun) return undefined;\n  if (!holdings',
        to: 'if (!holdings',
      },
      {
        file: 'kinds/core/service/claimed-numbers.ts',
        from: 'if (has || claim.dryRun) return;',
        to: 'if (has) return;',
      },
      {
        file: 'registry/write.ts',
        from: "stands = !options.dryRun && (outcome === 'created' || outcome === 'written');",
        to: "stands = outcome === 'created' || outcome === 'written';",
      },
    ],
  ),
  slip(
    'who only tries to write need not have seen the newest version',
    ['dryrun'],
    'registry/preconditions.ts',
    'if (asked > 0 && metadata',
    'if (asked > 0 && !call.options.dryRun && metadata',
  ),
  slip(
    'a rehearsed write is answered without those who manage the object',
    ['dryrun'],
    'registry/steps/managers.ts',
    'if (draft.managed) return;',
    'if (draft.managed || draft.call.options.dryRun) return;',
  ),
  slip(
    'a rehearsed write is answered with the generation that there is',
    ['dryrun'],
    'registry/steps/system-fields.ts',
    'if (!stored || !generationRises ||',
    'if (!stored || !generationRises || call.options.dryRun ||',
  ),
  slip(
    'a dry run of an update of a Service takes the port that it names',
    'dryrun',
    'kinds/core/service/allocation.ts',
    'const claim = claimOf(service, context);',
    'const claim = claimOf(service, previous ? { ...context, dryRun: false, onAbandon: () => {} } : context);',
  ),
  fault(
    'a rehearsed create of a RoleBinding is real',
    'dryrun',
    ignoreQuery('dryRun', { method: 'POST', path: /\/rolebindings$/ }),
  ),
  fault(
    'a dry run is real where the body is YAML',
    'dryrun',
    ignoreQuery('dryRun', { header: { 'content-type': /application\/yaml/ } }),
  ),
  fault(
    'a rehearsed update of a LimitRange is real',
    'dryrun',
    ignoreQuery('dryRun', { method: 'PUT', path: /\/limitranges\// }),
  ),
  fault(
    'a dry run is real where the body is protobuf',
    'dryrun',
    ignoreQuery('dryRun', { header: { 'content-type': /protobuf/ } }),
  ),
  fault(
    'a dry run is real where its answer is to be metadata alone',
    ['dryrun'],
    ignoreQuery('dryRun', { header: { accept: /as=PartialObjectMetadata/ } }),
  ),
  fault(
    'a dry run is real where its answer is to be YAML',
    ['dryrun'],
    ignoreQuery('dryRun', { header: { accept: /yaml/ } }),
  ),
];
