import type { KubeObject } from '../base/kube-object.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

export interface Names {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface PrinterColumn {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
}

export interface ScaleSubresource {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
}

export interface DefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: { status?: object; scale?: ScaleSubresource };
  additionalPrinterColumns?: PrinterColumn[];
}

export interface ConversionClient {
  readonly url?: string;
  readonly service?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** base64 of PEM certificates */
  readonly caBundle?: string;
}

export interface DefinitionConversion {
  strategy?: string;
  webhook?: { clientConfig?: ConversionClient; conversionReviewVersions?: string[] };
}

export interface DefinitionCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface DefinitionStatus {
  conditions?: DefinitionCondition[];
  acceptedNames?: Partial<Names>;
  storedVersions?: string[];
}

/** A CustomResourceDefinition of `apiextensions.k8s.io/v1`. Decoding has checked the types of its fields, no more. */
export interface Definition extends KubeObject {
  spec: {
    group: string;
    names: Names;
    scope: string;
    versions: DefinitionVersion[];
    conversion?: DefinitionConversion;
    preserveUnknownFields?: boolean;
  };
  status?: DefinitionStatus;
}

/** The finalizer that holds a definition until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const conditionOf = (definition: Definition, type: string): DefinitionCondition | undefined =>
  definition.status?.conditions?.find((condition) => condition.type === type);

export const isEstablished = (definition: Definition): boolean =>
  conditionOf(definition, 'Established')?.status === 'True';

export const storageVersionOf = (definition: Definition): DefinitionVersion | undefined =>
  definition.spec.versions.find((version) => version.storage);
