import { listOf, textOf } from '../../../base/untyped.ts';
import type { PluginConfiguration } from '../../admission-configuration.ts';
import type { ScopeRequirement } from './evaluator.ts';

/** A resource of which nothing may be used unless a quota covers it. */
export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Parts of the names of quota resources. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopeRequirement[];
}

const forms: readonly string[] = [
  'apiserver.config.k8s.io/v1 ResourceQuotaConfiguration',
  'resourcequota.admission.k8s.io/v1beta1 Configuration',
  'resourcequota.admission.k8s.io/v1alpha1 Configuration',
];

/**
 * Reads the plugin's part of the admission configuration: a ResourceQuotaConfiguration of `apiserver.config.k8s.io/v1`
 * or one of its older forms. @throws Error when it is none
 */
export function limitedResources(given: PluginConfiguration | undefined): readonly LimitedResource[] {
  if (!given) return [];
  const { apiVersion, kind, limitedResources: limited } = given.configuration;
  const form = `${textOf(apiVersion)} ${textOf(kind)}`;
  if (!forms.includes(form))
    throw new Error(`ResourceQuota: ${JSON.stringify(form)} is no configuration of this plugin`);
  return listOf(limited).map(({ apiGroup, resource, matchContains, matchScopes }) => {
    if (textOf(resource) === '') throw new Error('ResourceQuota: limitedResources needs a resource in each entry');
    return {
      apiGroup: textOf(apiGroup),
      resource: textOf(resource),
      matchContains: Array.isArray(matchContains) ? matchContains.map(String) : [],
      matchScopes: listOf(matchScopes) as readonly ScopeRequirement[],
    };
  });
}
