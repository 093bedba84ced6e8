import { cloneJson } from '../../base/clone.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { JsonPatchOperation } from '../../patch/json-patch.ts';
import { encodeJson } from '../../schema/encode.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import { type Invocation, RequestMatcher } from './match.ts';
import { keepsReadableManagers, operationsOf, patched } from './patched-object.ts';
import { requestText } from './review.ts';
import { requestView } from './versions.ts';
import { ask, judge } from './webhook-call.ts';
import { RejectedError } from './webhook-errors.ts';
import type { WebhookServices } from './webhook-services.ts';

/**
 * The mutating webhooks of one request: one after the other, each given what those before it made of the object. In a
 * second round those with reinvocationPolicy IfNeeded are asked once more, if the object changed after they saw it.
 */
export class Mutation {
  readonly #attributes: AdmissionAttributes;
  readonly #webhooks: readonly CompiledWebhook[];
  readonly #services: WebhookServices;
  readonly #matcher: RequestMatcher;
  /** Asked, reinvocable, and nothing has changed since. */
  #upToDate = new Set<CompiledWebhook>();
  readonly #due = new Set<CompiledWebhook>();
  #changed = false;
  /** The object as the first round left it. */
  #left: KubeObject | undefined;

  constructor(attributes: AdmissionAttributes, webhooks: readonly CompiledWebhook[], services: WebhookServices) {
    this.#attributes = attributes;
    this.#webhooks = webhooks;
    this.#services = services;
    this.#matcher = new RequestMatcher(attributes, services);
  }

  /** @returns whether some webhook changed the object */
  async first(): Promise<boolean> {
    for (const [index, webhook] of this.#webhooks.entries()) await this.#run(webhook, index, 0);
    if (this.#changed && this.#upToDate.size > 0) this.#left = cloneJson(this.#attributes.object);
    return this.#changed;
  }

  /** To be run after built-in parts had another look at the object. */
  async second(): Promise<void> {
    if (this.#left && !deepEqual(this.#left, this.#attributes.object)) this.#noteChange();
    for (const [index, webhook] of this.#webhooks.entries()) {
      if (this.#due.has(webhook)) await this.#run(webhook, index, 1);
    }
  }

  #noteChange(): void {
    this.#changed = true;
    for (const webhook of this.#upToDate) this.#due.add(webhook);
    this.#upToDate = new Set();
  }

  async #run(webhook: CompiledWebhook, index: number, round: number): Promise<void> {
    const invocation = await this.#matcher.match(webhook, index);
    if (!invocation) return;
    const { operation } = this.#attributes;
    const judged = await judge(webhook, operation, 'admit', this.#services.record, () => this.#call(invocation, round));
    if (judged.outcome === 'refused') throw judged.error;
    if (judged.outcome === 'ignored') {
      this.#attributes.annotate(`failed-open.mutation.${annotationOf(round, index)}`, webhook.name);
      this.#services.report(judged.error);
    } else if (judged.value) this.#noteChange();
    if (webhook.reinvocable) this.#upToDate.add(webhook);
  }

  /** @returns whether the object was changed */
  async #call({ webhook, as, index }: Invocation, round: number): Promise<boolean> {
    const attributes = this.#attributes;
    let mutated = false;
    try {
      const view = requestView(attributes, this.#services.resources, as);
      const object = attributes.object && (await view.show(attributes.object));
      const oldObject = attributes.oldObject && (await view.show(attributes.oldObject));
      const request = requestText(attributes, view, object, oldObject);
      const answer = await ask(webhook, request, { attributes, type: 'admit', services: this.#services });
      for (const warning of answer.warnings) attributes.warn(warning);
      if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);
      const operations = await operationsOf(answer);
      if (operations.length === 0) return false;
      const next = await patched(webhook.name, answer, operations, object, view);
      if (object && !keepsReadableManagers(next, object)) attributes.warn(managersWarning(webhook.name));
      mutated = !deepEqual(object, next);
      if (mutated) attributes.object = await view.restore(next);
      this.#annotatePatch(webhook, index, round, operations);
      return mutated;
    } finally {
      const { configuration, name } = webhook;
      attributes.annotate(
        `mutation.${annotationOf(round, index)}`,
        JSON.stringify({ configuration, webhook: name, mutated }),
      );
    }
  }

  #annotatePatch(
    { configuration, name }: CompiledWebhook,
    index: number,
    round: number,
    patch: readonly JsonPatchOperation[],
  ) {
    const value = { configuration, webhook: name, patch, patchType: 'JSONPatch' };
    this.#attributes.annotate(`patch.${annotationOf(round, index)}`, encodeJson(value));
  }
}

const annotationOf = (round: number, index: number) => `webhook.admission.k8s.io/round_${round}_index_${index}`;

const managersWarning = (webhook: string) =>
  `.metadata.managedFields was in an invalid state after admission webhook ${JSON.stringify(webhook)} and was left as before`;
