import { slip, slips } from '../fault.ts';

/** Which objects webhooks are shown, about what they are asked at all, and what comes of their refusals. */
export default [
  slips(
    'a webhook is shown a new object without its namespace unless it was sent',
    ['webhook'],
    [
      {
        file: 'registry/steps/system-fields.ts',
        from: 'if (call.namespace) metadata.namespace = call.namespace;\n  else delete metadata.namespace;',
        to: 'if (!call.namespace) delete metadata.namespace;',
      },
      {
        file: 'registry/steps/system-fields.ts',
        from: '{ resource, services: { ids, clock } }: Call): void {',
        to: '{ resource, namespace, services: { ids, clock } }: Call): void {\n  if (namespace) metadata.namespace = namespace;',
      },
    ],
  ),
  slip(
    'webhooks are not shown what a deletecollection removes',
    ['webhook'],
    'registry/steps/delete-steps.ts',
    'oldObject: value,',
    'oldObject: occasion.collection ? undefined : value,',
  ),
  slip(
    'the old object in a review of what has no namespace has the new labels',
    ['webhook'],
    'registry/steps/admit.ts',
    'oldObject: document ? document.show(live) : live });',
    'oldObject: document ? document.show(live) : call.namespace ? live : { ...live, metadata: { ...live.metadata, labels: object.metadata.labels } } });',
  ),
  slip(
    'the old object in a review of what is in a namespace has the new annotations',
    ['webhook'],
    'registry/steps/admit.ts',
    'oldObject: document ? document.show(live) : live });',
    'oldObject: document ? document.show(live) : { ...live, metadata: { ...live.metadata, annotations: object.metadata.annotations } } });',
  ),
  slip(
    'a webhook that refuses with the code of a success answers with it',
    ['webhook', 'errors'],
    'admission/webhooks/webhook-errors.ts',
    'code < smallestRefusal ? smallestRefusal',
    'code === 0 ? smallestRefusal',
  ),
  slips(
    'admission is not asked about JSON patches',
    ['webhook', 'verbs'],
    [
      {
        file: 'registry/patch.ts',
        from: 'const written = await write(call, proposed,',
        to: "const written = await write(Object.assign(call, { isUnasked: type === 'application/json-patch+json' }), proposed,",
      },
      {
        file: 'registry/draft.ts',
        from: "passes: services.admission.passes(live ? 'UPDATE' : 'CREATE', resource, subresource),",
        to: "passes: 'isUnasked' in call && call.isUnasked ? services.admission.passes('CONNECT', resource, 'unasked') : services.admission.passes(live ? 'UPDATE' : 'CREATE', resource, subresource),",
      },
    ],
  ),
  slip(
    'no webhook hears of an eviction',
    ['webhook', 'admission', 'names'],
    'registry/operation.ts',
    'if (!operation.onlyReads) await',
    "if (!operation.onlyReads && call.subresource !== 'eviction') await",
  ),
  slip(
    'no webhook hears that a token is asked for',
    ['webhook', 'admission', 'names', 'authn'],
    'registry/operation.ts',
    'if (!operation.onlyReads) await',
    "if (!operation.onlyReads && call.subresource !== 'token') await",
  ),
  slip(
    'the options of a delete are told to webhooks without their preconditions',
    ['webhook'],
    'registry/steps/delete-steps.ts',
    'const { dryRun, ...given } = options;',
    'const { dryRun, preconditions: _preconditions, ...given } = options;',
  ),
  slip(
    'of what a deletecollection removes webhooks are asked about the first object',
    ['webhook', 'deletion'],
    'registry/delete-collection.ts',
    '{ collection: true })',
    '{ collection: true, admitted: value !== page.items[0]?.value })',
  ),
  slips(
    'a validating webhook is shown the status that came with a create',
    ['webhook'],
    [
      {
        file: 'registry/steps/admit.ts',
        from: 'draft.attributes = attributes;',
        to: 'draft.attributes = attributes;\n  (draft as any).sent = live ? undefined : structuredClone(asked.status);',
      },
      {
        file: 'registry/steps/admit.ts',
        from: 'attributes.object = object;\n  yield*',
        to: 'attributes.object = { ...object, ...((draft as any).sent && { status: (draft as any).sent }) };\n  yield*',
      },
    ],
  ),
  slips(
    'a validating webhook is shown the status that came with an update',
    ['webhook'],
    [
      {
        file: 'registry/steps/admit.ts',
        from: 'draft.attributes = attributes;',
        to: 'draft.attributes = attributes;\n  if (live && !call.subresource) (draft as any).sent = structuredClone((asked as any).status);',
      },
      {
        file: 'registry/steps/admit.ts',
        from: 'attributes.object = object;\n  yield*',
        to: 'attributes.object = { ...object, ...((draft as any).sent && { status: (draft as any).sent }) };\n  yield*',
      },
    ],
  ),
  slips(
    'a validating webhook is shown what came with a status beside it',
    ['webhook'],
    [
      {
        file: 'registry/steps/admit.ts',
        from: 'draft.attributes = attributes;',
        to: "draft.attributes = attributes;\n  if (call.subresource === 'status') (draft as any).sent = structuredClone((asked as any).spec);",
      },
      {
        file: 'registry/steps/admit.ts',
        from: 'attributes.object = object;\n  yield*',
        to: 'attributes.object = { ...object, ...((draft as any).sent && { spec: (draft as any).sent }) };\n  yield*',
      },
    ],
  ),
  slip(
    'a webhook for some namespaces is asked about the end of any',
    ['webhook'],
    'admission/webhooks/match.ts',
    'if (writes) return namespaceSelector.matches(object.metadata.labels);',
    "if (writes) return namespaceSelector.matches(object.metadata.labels);\n    if (resource.resource === 'namespaces' && subresource === '') return true;",
  ),
  slip(
    'a namespace selector does not look at what is below an object',
    ['webhook'],
    'admission/webhooks/match.ts',
    "if (namespaceSelector.isEmpty || this.#attributes.namespace === '') return true;",
    "if (namespaceSelector.isEmpty || this.#attributes.namespace === '' || this.#attributes.subresource) return true;",
  ),
];
