import { type FieldError, forbiddenField, invalidValue } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import { parseCidr } from '../../../base/ip.ts';
import type { ServiceSpec } from './shape.ts';

/** Whom a load balancer lets in was once said by an annotation, which counts where the field says nothing. */
const annotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** What is said, where, and the ranges in it. */
interface Said {
  readonly at: FieldPath;
  readonly value: unknown;
  readonly ranges: readonly string[];
}

function saidOf({ loadBalancerSourceRanges: ranges }: ServiceSpec, annotated: string | undefined): Said | undefined {
  if (ranges?.length) return { at: FieldPath.of('spec', 'LoadBalancerSourceRanges'), value: ranges, ranges };
  if (annotated === undefined) return undefined;
  const text = annotated.trim();
  return {
    at: FieldPath.of('metadata', 'annotations').key(annotation),
    value: annotated,
    ranges: text === '' ? [] : text.split(','),
  };
}

export function validateSourceRanges(
  spec: ServiceSpec,
  annotations: Readonly<Record<string, string>> | undefined,
): FieldError[] {
  const said = saidOf(spec, annotations?.[annotation]);
  if (!said) return [];
  const { at, value, ranges } = said;
  return [
    ...(spec.type === 'LoadBalancer' ? [] : [forbiddenField(at, "may only be used when `type` is 'LoadBalancer'")]),
    ...(ranges.every((range) => parseCidr(range.trim()))
      ? []
      : [invalidValue(at, value, 'must be a list of IP ranges, such as 10.240.0.0/24,10.250.0.0/24')]),
  ];
}
