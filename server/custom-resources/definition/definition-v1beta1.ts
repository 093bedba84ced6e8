import type { KubeObject } from '../../base/kube-object.ts';
import type { ConversionClient, DefinitionVersion, PrinterColumn } from '../definition-shape.ts';

interface BetaColumn extends Omit<PrinterColumn, 'jsonPath'> {
  readonly JSONPath?: string;
}

interface BetaConversion {
  readonly strategy?: string;
  readonly webhookClientConfig?: ConversionClient;
  readonly conversionReviewVersions?: readonly string[];
}

/** What versions have in common may stand above them. */
interface Common {
  readonly subresources?: DefinitionVersion['subresources'];
  readonly additionalPrinterColumns?: readonly BetaColumn[];
}

interface BetaVersion extends Common {
  readonly name: string;
  readonly schema?: DefinitionVersion['schema'];
}

interface BetaSpec extends Common {
  readonly version?: string;
  readonly versions?: readonly BetaVersion[];
  readonly validation?: DefinitionVersion['schema'];
  readonly conversion?: BetaConversion;
  readonly preserveUnknownFields?: boolean;
}

/** A CustomResourceDefinition of `apiextensions.k8s.io/v1beta1`, in which a v1.25 server stores all of them. */
export function definitionOfV1Beta1(definition: KubeObject): KubeObject {
  const beta = (definition['spec'] ?? {}) as BetaSpec;
  const { version, validation, subresources, additionalPrinterColumns, ...spec } = beta;
  const common: BetaVersion = {
    name: version ?? '',
    ...(validation && { schema: validation }),
    ...(subresources && { subresources }),
    ...(additionalPrinterColumns && { additionalPrinterColumns }),
  };
  const { preserveUnknownFields = true } = spec;
  const versions = spec.versions?.length ? spec.versions : [{ ...common, served: true, storage: true }];
  return {
    ...definition,
    spec: {
      ...spec,
      versions: versions.map((each) => versionOf({ ...common, ...each })),
      ...(spec.conversion && { conversion: conversionOf(spec.conversion) }),
      preserveUnknownFields,
    },
  };
}

const versionOf = ({ additionalPrinterColumns, ...version }: BetaVersion): object => ({
  ...version,
  ...(additionalPrinterColumns && {
    additionalPrinterColumns: additionalPrinterColumns.map(({ JSONPath, ...column }) => ({
      ...column,
      ...(JSONPath !== undefined && { jsonPath: JSONPath }),
    })),
  }),
});

function conversionOf({ webhookClientConfig, conversionReviewVersions, ...conversion }: BetaConversion): object {
  const webhook = {
    ...(webhookClientConfig && { clientConfig: webhookClientConfig }),
    ...(conversionReviewVersions?.length && { conversionReviewVersions }),
  };
  return Object.keys(webhook).length > 0 ? { ...conversion, webhook } : conversion;
}
