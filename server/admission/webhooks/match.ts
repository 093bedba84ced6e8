import type { KubeObject, ObjectMeta } from '../../base/kube-object.ts';
import { notFound } from '../../base/status-error.ts';
import type { Lookup } from '../../kinds/strategy.ts';
import type { ListedResource, Resources } from '../../registry/resources.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';

type Labels = Readonly<Record<string, string>>;

/** A webhook that shall be told of a request, and in which version of the resource. */
export interface Invocation {
  readonly webhook: CompiledWebhook;
  /** Missing: as the request came. */
  readonly as?: ListedResource;
  /** Place of the webhook among all that are configured; audit annotations name it. */
  readonly index: number;
}

export interface MatchServices {
  readonly resources: Resources;
  readonly lookup: Lookup;
}

/** Decides which webhooks one request concerns; what several of them need to know is found out once. */
export class RequestMatcher {
  readonly #attributes: AdmissionAttributes;
  readonly #services: MatchServices;
  #equivalents: readonly ListedResource[] | undefined;
  #namespaceLabels: Labels | undefined;

  constructor(attributes: AdmissionAttributes, services: MatchServices) {
    this.#attributes = attributes;
    this.#services = services;
  }

  /** @throws 404 the namespace whose labels are asked for does not exist */
  async match(webhook: CompiledWebhook, index: number): Promise<Invocation | undefined> {
    const found = this.#byRules(webhook, index);
    if (!found || !this.#objectFits(webhook)) return undefined;
    return (await this.#namespaceFits(webhook)) ? found : undefined;
  }

  #byRules(webhook: CompiledWebhook, index: number): Invocation | undefined {
    const attributes = this.#attributes;
    const { operation, subresource, namespace } = attributes;
    for (const rule of webhook.rules) if (rule(attributes)) return { webhook, index };
    if (!webhook.equivalent) return undefined;
    this.#equivalents ??= equivalentsOf(attributes, this.#services.resources);
    for (const rule of webhook.rules) {
      for (const as of this.#equivalents) {
        const resource = { group: as.group, version: as.served.version, resource: as.plural };
        if (rule({ operation, subresource, namespace, resource })) return { webhook, index, as };
      }
    }
    return undefined;
  }

  /** The new or the old object may fit; one that is not there, or has no labels by its type, fits no selector. */
  #objectFits({ objectSelector }: CompiledWebhook): boolean {
    if (objectSelector.isEmpty) return true;
    const { object, oldObject } = this.#attributes;
    const fits = (one: KubeObject | undefined) =>
      (one?.metadata as ObjectMeta | undefined) !== undefined && objectSelector.matches(one?.metadata.labels);
    return fits(object) || fits(oldObject);
  }

  /** Has no effect on cluster-scoped objects other than Namespaces. */
  async #namespaceFits({ namespaceSelector }: CompiledWebhook): Promise<boolean> {
    if (namespaceSelector.isEmpty || this.#attributes.namespace === '') return true;
    const { resource, subresource, object } = this.#attributes;
    // A Namespace that is being written has its new labels.
    const writes = resource.group === '' && resource.resource === 'namespaces' && subresource === '' && object;
    if (writes) return namespaceSelector.matches(object.metadata.labels);
    this.#namespaceLabels ??= await this.#storedLabels();
    return namespaceSelector.matches(this.#namespaceLabels);
  }

  async #storedLabels(): Promise<Labels> {
    const { namespace } = this.#attributes;
    const found = await this.#services.lookup.get('', 'namespaces', '', namespace);
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return found.metadata.labels ?? {};
  }
}

/** The same objects in other versions or groups. */
function equivalentsOf({ resource }: AdmissionAttributes, resources: Resources): ListedResource[] {
  const own = resources.find(resource.group, resource.version, resource.resource);
  if (!own) return [];
  return [...resources.all()].filter((other) => other !== own && other.prefix === own.prefix);
}
