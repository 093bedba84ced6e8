import { type FieldError, forbiddenField, notSupported } from '../base/field-error.ts';
import { type FieldSelector, fieldIs, parseFieldSelector } from '../base/selectors/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../base/selectors/label-selector.ts';
import { badRequest, invalid } from '../base/status-error.ts';
import type { Concern, Stored } from '../store/store.ts';
import { parseVersion } from './read.ts';
import type { Resource } from './resource.ts';

/** The list parameters of a request as they were sent; empty text means unset. */
export interface ListParameters {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  /** Of the one object that a path names. */
  readonly name?: string | undefined;
}

export interface Selection {
  readonly matches: (stored: Stored) => boolean;
  /** Nothing is filtered. */
  readonly everything: boolean;
  /** The one name that can match, if the selector says so. */
  readonly name: string | undefined;
  /** What all that match have in common, if the selectors say so. */
  readonly concern?: Concern | undefined;
}

export interface ListRequest {
  readonly limit: number;
  readonly token: string | undefined;
  readonly selection: Selection;
  /** 0: none given, or `any`. */
  readonly version: number;
  /** Any state will do that is not older than the version; else the newest is wanted. */
  readonly any: boolean;
  readonly match: '' | 'Exact' | 'NotOlderThan';
}

/** @throws 422 of kind ListOptions for a resourceVersionMatch that does not fit, 400 for the rest */
export function listRequest(resource: Resource, parameters: ListParameters): ListRequest {
  const selection = selectionOf(resource, parameters, () => checkVersionMatch(parameters, false));
  const { resourceVersion, resourceVersionMatch = '' } = parameters;
  // Any state will do: such a list is answered whole, as from a cache.
  const limit = resourceVersion === '0' && !parameters.continue ? 0 : (parameters.limit ?? 0);
  const version = parseVersion(resourceVersion);
  if (parameters.continue && version > 0) {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return {
    limit: Math.max(0, limit),
    token: parameters.continue || undefined,
    selection,
    version,
    any: Boolean(resourceVersion),
    match: resourceVersionMatch as ListRequest['match'],
  };
}

/** Rules `lists.rv.*`: which combinations of resourceVersionMatch make no sense. @throws 422 */
export function checkVersionMatch(parameters: ListParameters, watching: boolean): void {
  const { resourceVersionMatch: match, resourceVersion } = parameters;
  if (!match) return;
  const errors: FieldError[] = [];
  const refuse = (why: string) => errors.push(forbiddenField('resourceVersionMatch', why));
  if (watching) refuse('resourceVersionMatch is forbidden for watch');
  if (!resourceVersion) refuse('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (parameters.continue) refuse('resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && resourceVersion === '0') {
    refuse('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: 'ListOptions' }, '', errors);
}

const all: Selection = { matches: () => true, everything: true, name: undefined };

/**
 * @param checkRest judges the other parameters: after the form of the selectors, before what they name
 * @throws 400 for a selector that does not parse or names a field that the kind does not offer
 */
export function selectionOf(resource: Resource, parameters: ListParameters, checkRest?: () => void): Selection {
  // A null character ends the text.
  const [labelText] = parameters.labelSelector?.split('\0') ?? [];
  const labels = labelText ? parseLabelSelector(labelText) : undefined;
  const fields = parseFieldSelector(parameters.fieldSelector ?? '');
  checkRest?.();
  const byLabel = labels && !labels.isEmpty ? labels : undefined;
  const named = parameters.name ? aboutName(fields, parameters.name) : fields;
  const byField = named.isEmpty ? undefined : named;
  if (!byLabel && !byField) return all;
  const fieldOf = byField ? fieldReader(resource, byField) : undefined;
  return {
    everything: false,
    name: byField?.exact('metadata.name'),
    concern: (byField && fieldOf && fieldConcern(resource, byField, fieldOf)) ?? (byLabel && labelConcern(byLabel)),
    matches: (stored) =>
      (!byLabel || matchesLabels(byLabel, stored)) &&
      (!byField || !fieldOf || byField.matches((field) => fieldOf(field, stored))),
  };
}

type FieldOf = ReturnType<typeof fieldReader>;

/** Another version may read a field of the same name otherwise. */
function fieldConcern({ served }: Resource, { requirements }: FieldSelector, fieldOf: FieldOf): Concern | undefined {
  const exact = requirements.find(({ operator }) => operator === '=');
  if (!exact) return undefined;
  const { field, value } = exact;
  return { about: `field ${served.apiVersion} ${field}`, textOf: (stored) => fieldOf(field, stored), value };
}

function labelConcern({ requirements }: LabelSelector): Concern | undefined {
  const exact = requirements.find(({ operator, values }) => operator === 'In' && values.length === 1);
  if (!exact) return undefined;
  const { key, values } = exact;
  const textOf = ({ labels }: Stored) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  return { about: `label ${key}`, textOf, value: values[0] as string };
}

/** Who names an object may select it by more than its name, but not another one. @throws 400 */
function aboutName(selector: FieldSelector, name: string): FieldSelector {
  if (selector.isEmpty) return fieldIs('metadata.name', name);
  if (selector.exact('metadata.name') === name) return selector;
  throw badRequest(`the field selector does not select ${JSON.stringify(name)}, which the path names`);
}

const matchesLabels = (selector: LabelSelector, { labels }: Stored) => selector.matches(labels);

/** Fields of the version that was asked for; they are read from the stored form all the same. */
const selectableOf = ({ rules, served }: Resource) =>
  rules.conversions?.[served.apiVersion]?.selectable ??
  rules.conversions?.[served.version]?.selectable ??
  rules.selectable ??
  {};

/** Objects without a namespace are selected by it all the same, unless their kind says itself what selects them. */
const hasNamespaceField = ({ namespaced, custom }: Resource, selectable: object): boolean =>
  namespaced || (!custom && Object.keys(selectable).length === 0);

function fieldReader(resource: Resource, selector: FieldSelector): (field: string, stored: Stored) => string {
  const selectable = selectableOf(resource);
  for (const { field } of selector.requirements) {
    const known =
      field === 'metadata.name' ||
      (field === 'metadata.namespace' && hasNamespaceField(resource, selectable)) ||
      Object.hasOwn(selectable, field);
    if (!known) throw badRequest(`field label not supported: ${field}`);
  }
  return (field, { value }) => {
    if (field === 'metadata.name') return value.metadata.name ?? '';
    if (field === 'metadata.namespace') return value.metadata.namespace ?? '';
    return selectable[field]?.(value) ?? '';
  };
}
