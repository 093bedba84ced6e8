import { slip, slips } from '../fault.ts';

const admit = 'registry/steps/admit.ts';
const mutation = 'admission/webhooks/mutation.ts';

/** What mutating webhooks change, see of each other, and are asked again about. */
export default [
  slip(
    'what a mutating webhook takes away stays',
    ['webhook'],
    'admission/webhooks/patched-object.ts',
    'return yield* applyJsonPatch(object, operations);\n  } catch (error) {\n    if (!(error instanceof PatchError)) throw error;',
    "return yield* applyJsonPatch(object, operations.filter(({ op }) => op !== 'remove'));\n  } catch (error) {\n    if (!(error instanceof PatchError)) throw error;",
  ),
  slip(
    'what a mutating webhook changes in an update is lost',
    ['webhook'],
    admit,
    'if (!(yield* passes.mutate(attributes))) return;',
    'if (!(yield* passes.mutate(attributes)) || draft.live) return;',
  ),
  slip(
    'what a mutating webhook makes of a Scale is lost',
    ['webhook'],
    admit,
    'draft.shown = live && document ? document.merge(shown, admitted) : admitted;',
    'draft.shown = live && document ? shown : admitted;',
  ),
  slip(
    'what a mutating webhook makes of a status is lost',
    ['webhook'],
    admit,
    'if (!(yield* passes.mutate(attributes))) return;',
    "if (!(yield* passes.mutate(attributes)) || call.subresource === 'status') return;",
  ),
  slip(
    'every webhook is asked again after a change',
    'webhook',
    mutation,
    'if (webhook.reinvocable) this.#upToDate.add(webhook);',
    'this.#upToDate.add(webhook);',
  ),
  slip(
    'no webhook is asked again after a change',
    'webhook',
    mutation,
    'if (webhook.reinvocable) this.#upToDate.add(webhook);',
    '',
  ),
  slip(
    'a webhook is not asked again when the server itself changed what it left',
    ['webhook'],
    mutation,
    'if (this.#left && !deepEqual(this.#left, this.#attributes.object)) this.#noteChange();',
    '',
  ),
  slip(
    'each mutating webhook sees the object as it was sent',
    ['webhook'],
    mutation,
    'const object = attributes.object && (await view.show(attributes.object));',
    'const object = attributes.object && ((this.#left ??= cloneJson(attributes.object)), this.#changed ? cloneJson(this.#left) : await view.show(attributes.object));',
  ),
  slip(
    'what a webhook makes of a converted object is lost',
    ['webhook'],
    'admission/webhooks/mutation.ts',
    'if (mutated) attributes.object = await view.restore(next);',
    'if (mutated && view.resource.version === attributes.resource.version && view.resource.group === attributes.resource.group) attributes.object = await view.restore(next);',
  ),
  slips(
    'what a webhook makes of an object is not judged',
    ['webhook', 'component'],
    [
      {
        file: 'admission/webhooks/mutation.ts',
        from: 'if (mutated) attributes.object = await view.restore(next);',
        to: 'if (mutated) attributes.object = await view.restore(next);\n      if (mutated) (attributes as any).byWebhook = true;',
      },
      {
        file: 'registry/steps/validate.ts',
        from: 'if (errors.length > 0) throw',
        to: 'if (errors.length > 0 && !(draft.attributes as any)?.byWebhook) throw',
      },
    ],
  ),
  slip(
    'labels that a webhook gives a converted object are lost',
    ['webhook'],
    'admission/webhooks/mutation.ts',
    'if (mutated) attributes.object = await view.restore(next);',
    'const was = attributes.object?.metadata;\n      if (mutated) attributes.object = await view.restore(next);\n      if (mutated && attributes.object && was && view.resource.version !== attributes.resource.version) attributes.object = { ...attributes.object, metadata: was };',
  ),
  slips(
    'what a webhook makes of a status is not judged',
    ['webhook', 'component'],
    [
      {
        file: 'admission/webhooks/mutation.ts',
        from: 'if (mutated) attributes.object = await view.restore(next);',
        to: "if (mutated) attributes.object = await view.restore(next);\n      if (mutated && attributes.subresource === 'status') (attributes as any).byWebhook = true;",
      },
      {
        file: 'registry/steps/validate.ts',
        from: 'if (errors.length > 0) throw',
        to: 'if (errors.length > 0 && !(draft.attributes as any)?.byWebhook) throw',
      },
    ],
  ),
  slip(
    'what a mutating webhook makes of an apply that changes something is lost',
    ['webhook', 'apply'],
    'registry/steps/admit.ts',
    'if (!(yield* passes.mutate(attributes))) return;',
    'if (!(yield* passes.mutate(attributes)) || (draft.managed && live)) return;',
  ),
  slip(
    'what a mutating webhook makes of a rehearsed update is not shown',
    ['webhook', 'dryrun'],
    'registry/steps/admit.ts',
    'if (!(yield* passes.mutate(attributes))) return;',
    'if (!(yield* passes.mutate(attributes)) || (call.options.dryRun && live)) return;',
  ),
  slip(
    'a patch of a webhook that does not fit is passed over',
    ['webhook'],
    'admission/webhooks/patched-object.ts',
    'throw internalError(`operation ${at} of the patch, ${op} ${JSON.stringify(path)}, does not apply`);',
    'return object;',
  ),
  slip(
    'what a webhook adds that nobody knows is stored',
    ['webhook'],
    'admission/webhooks/versions.ts',
    "const { value } = checkStructure(patched, served.structure, { mode: custom ? 'prune' : 'typed' });",
    'const value = patched as never; void custom;',
  ),
  slips(
    'what a webhook puts into an object that is there gets no defaults',
    ['webhook'],
    [
      { file: 'admission/webhooks/versions.ts', from: '  rules.default?.(stored);\n', to: '' },
      {
        file: 'registry/steps/prepare.ts',
        from: '  else prepareCreate(draft);\n  if (draft.lacksDefaults) fillDefaults(draft);',
        to: '  else prepareCreate(draft);',
      },
      {
        file: 'registry/steps/prepare.ts',
        from: '  if (draft.lacksDefaults) fillDefaults(draft);\n  const { resource, subresource } = call;',
        to: '  const { resource, subresource } = call;',
      },
    ],
  ),
  slip(
    'what a webhook would change of what is deleted is passed over',
    'webhook',
    'admission/webhooks/mutation.ts',
    'if (operations.length === 0) return false;',
    'if (operations.length === 0 || !object) return false;',
  ),
];
