import type { Json } from '../base/kube-object.ts';

/**
 * One imported schema definition: OpenAPI v2 in form, with the defaults of OpenAPI v3. `$ref` is only the name of a
 * definition. A `default` that is the zero value (`{}`, `""`, 0, false) says that the field is always written.
 */
export interface Definition {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly required?: readonly string[];
  readonly items?: Definition;
  readonly additionalProperties?: Definition;
  readonly default?: Json;
  readonly enum?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-unions'?: readonly Json[];
}
