import { cloneJson } from '../../base/clone.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import type { Json, KubeObject } from '../../base/kube-object.ts';
import { internalError, StatusError } from '../../base/status-error.ts';
import { applyJsonPatch, type JsonPatchOperation, parseJsonPatch } from '../../patch/json-patch.ts';
import { decodeJson } from '../../schema/json.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { WebhookAnswer } from './answer.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import { type Invocation, RequestMatcher } from './match.ts';
import { requestText } from './review.ts';
import { type RequestView, requestView } from './versions.ts';
import { ask, judge } from './webhook-call.ts';
import { CallFailedError, RejectedError } from './webhook-errors.ts';
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
      const answer = await ask(webhook, request, { attributes, type: 'admit', ids: this.#services.ids });
      for (const warning of answer.warnings) attributes.warn(warning);
      if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);
      const operations = operationsOf(answer);
      if (operations.length === 0) return false;
      const next = await patched(webhook.name, answer, operations, object, view);
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
    const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));
    this.#attributes.annotate(`patch.${annotationOf(round, index)}`, text);
  }
}

const annotationOf = (round: number, index: number) => `webhook.admission.k8s.io/round_${round}_index_${index}`;

/** @throws 500 the bytes are no JSON patch */
function operationsOf({ patch }: WebhookAnswer): readonly JsonPatchOperation[] {
  if (patch.length === 0) return [];
  return asInternal(() => parseJsonPatch(decodeJson(patch).value).operations);
}

/** @throws 500 the patch does not fit, whatever the failurePolicy; CallFailedError it is of an unknown type */
async function patched(
  webhook: string,
  { patchType }: WebhookAnswer,
  operations: readonly JsonPatchOperation[],
  object: KubeObject | undefined,
  view: RequestView,
): Promise<KubeObject> {
  if (!object) {
    const which = `admission webhook ${JSON.stringify(webhook)}`;
    throw internalError(`${which} attempted to modify the object, which is not supported for this operation`);
  }
  if (patchType !== 'JSONPatch')
    throw new CallFailedError(webhook, `unsupported patch type ${JSON.stringify(patchType)}`);
  const next = apply(object as unknown as Json, operations);
  const { kind, apiVersion } = object;
  try {
    return await view.accept(sameKind(next, kind, apiVersion));
  } catch (error) {
    throw error instanceof StatusError && error.status.code < 500 ? internalError(error.message) : error;
  }
}

/** @throws 500 an operation does not apply; the message names the first such */
function apply(object: Json, operations: readonly JsonPatchOperation[]): Json {
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const at = firstFailing(object, operations);
    const { op = '', path = '' } = operations[at] ?? {};
    throw internalError(`operation ${at} of the patch, ${op} ${JSON.stringify(path)}, does not apply`);
  }
}

/** Halves the range again and again, since patches may be long. */
function firstFailing(object: Json, operations: readonly JsonPatchOperation[]): number {
  let [fine, broken] = [0, operations.length];
  while (broken - fine > 1) {
    const middle = (fine + broken) >> 1;
    if (applies(object, operations.slice(0, middle))) fine = middle;
    else broken = middle;
  }
  return fine;
}

function applies(object: Json, operations: readonly JsonPatchOperation[]): boolean {
  try {
    applyJsonPatch(object, operations);
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

/** @throws 500 the patch made another kind of the object */
function sameKind(value: Json, kind: string, apiVersion: string): Json {
  const type = (value ?? {}) as { kind?: Json; apiVersion?: Json };
  if ((type.kind ?? kind) === kind && (type.apiVersion ?? apiVersion) === apiVersion) return value;
  throw internalError(
    `the patch makes ${String(type.apiVersion)}, Kind=${String(type.kind)} of ${apiVersion}, Kind=${kind}`,
  );
}

function asInternal<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof StatusError ? internalError(error.message) : error;
  }
}
