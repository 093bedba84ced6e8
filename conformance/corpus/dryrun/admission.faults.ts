import { ignoreQuery } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';

const resourceQuota = 'admission/plugins/resource-quota/resource-quota.ts';

/** Dry runs and admission: webhooks, quotas and budgets. */
export default [
  slips(
    'a rehearsed create counts against the quota',
    ['admission', 'dryrun'],
    [
      { file: resourceQuota, from: '    if (dryRun) return;\n', to: '    void dryRun;\n' },
      {
        file: resourceQuota,
        from: '    attributes.onAbandon(giveBack);\n',
        to: '    void giveBack;\n',
      },
    ],
  ),
  slip(
    'who only rehearses may exceed a quota',
    ['dryrun', 'admission'],
    resourceQuota,
    '    for (const { quota, amounts } of charges) allow(quota, amounts);\n    if (dryRun) return;',
    '    if (dryRun) return;\n    for (const { quota, amounts } of charges) allow(quota, amounts);',
  ),
  slip(
    'a rehearsed write of what is below an object is told to webhooks as a real one',
    ['webhook', 'dryrun'],
    'admission/webhooks/review.ts',
    '    dryRun,\n    options: options() ?? null,',
    '    dryRun: dryRun && !subresource,\n    options: options() ?? null,',
  ),
  slip(
    'a review of a dry run does not say so',
    ['webhook', 'dryrun'],
    'admission/webhooks/review.ts',
    '    dryRun,\n',
    '    dryRun: false,\n',
  ),
  slip(
    'webhooks with side effects are asked in a dry run',
    ['webhook', 'dryrun'],
    'admission/webhooks/compiled-webhook.ts',
    "dryRunSafe: webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun',",
    'dryRunSafe: true,',
  ),
  slip(
    'a webhook without side effects on dry runs is not asked in them',
    ['webhook', 'dryrun'],
    'admission/webhooks/compiled-webhook.ts',
    "webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun'",
    "webhook.sideEffects === 'None'",
  ),
  slip(
    'a rehearsed create is not told to admission as one',
    ['dryrun', 'webhook'],
    'registry/steps/admit.ts',
    'const asked = { object, emptied: context.emptied, options, undo, dryRun: call.options.dryRun };',
    'const asked = { object, emptied: context.emptied, options, undo, dryRun: live !== undefined && call.options.dryRun };',
  ),
  slip(
    'a rehearsed deletecollection is told to admission as a real one',
    ['dryrun', 'webhook'],
    'registry/steps/delete-steps.ts',
    '    dryRun,\n    undo,',
    '    dryRun: dryRun && !occasion.collection,\n    undo,',
  ),
  slip(
    'no budget is asked about a rehearsed eviction',
    ['dryrun'],
    'kinds/core/pod/eviction.ts',
    'if (dryRun) spend(structuredClone(budget), name, now);\n  else\n',
    'if (!dryRun)\n',
  ),
  slips(
    'a delete that its body calls a rehearsal is told to webhooks as real',
    ['webhook', 'dryrun'],
    [
      {
        file: 'request/verbs/delete.ts',
        from: 'return deleteOptions(value as unknown as Parameters<typeof deleteOptions>[0]);',
        to: 'return { ...deleteOptions(value as unknown as Parameters<typeof deleteOptions>[0]), inBody: true } as never;',
      },
      {
        file: 'registry/steps/delete-steps.ts',
        from: '    dryRun,\n    undo,',
        to: '    dryRun: dryRun && !(options as any).inBody,\n    undo,',
      },
    ],
  ),
  slip(
    'a refusal of a rehearsed update by a validating webhook is not heeded',
    ['webhook', 'dryrun'],
    'admission/webhooks/validation.ts',
    'if (!answer.allowed) throw',
    "if (!answer.allowed && !(attributes.dryRun && attributes.operation === 'UPDATE')) throw",
  ),
  slip(
    'a dry run is not held to the quotas',
    ['dryrun', 'admission'],
    resourceQuota,
    'const more = additional(attributes, evaluator, object);',
    'if (dryRun) return;\n    const more = additional(attributes, evaluator, object);',
  ),
  slip(
    'a rehearsed delete is not told to admission',
    ['dryrun', 'webhook'],
    'registry/steps/delete-steps.ts',
    'if (occasion.admitted) return;',
    'if (occasion.admitted || options.dryRun) return;',
  ),
  slip(
    'a webhook with side effects refuses dry runs of what it does not select',
    ['webhook', 'dryrun'],
    'admission/webhooks/match.ts',
    '    if (!found || !this.#objectFits(webhook)) return undefined;',
    '    if (found && this.#attributes.dryRun && !webhook.dryRunSafe) return found;\n    if (!found || !this.#objectFits(webhook)) return undefined;',
  ),
  slip(
    'validating webhooks with side effects are asked in a dry run',
    ['webhook', 'dryrun'],
    'admission/webhooks/webhook-call.ts',
    'if (attributes.dryRun && !webhook.dryRunSafe)',
    "if (attributes.dryRun && !webhook.dryRunSafe && type === 'admit')",
  ),
  slip(
    'what is made in a namespace that is going may be rehearsed',
    ['dryrun', 'namespace'],
    'admission/plugins/namespace-lifecycle.ts',
    'if (namespace.metadata.deletionTimestamp) throw',
    'if (namespace.metadata.deletionTimestamp && !attributes.dryRun) throw',
  ),
  fault(
    'a webhook configuration that is only tried is in effect',
    ['webhook', 'dryrun'],
    ignoreQuery('dryRun', { path: /webhookconfigurations/ }),
  ),
];
