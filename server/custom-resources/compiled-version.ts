import { lazily } from '../base/caches/memo.ts';
import type { Json, KubeObject } from '../base/kube-object.ts';
import type { ScalePaths } from '../kinds/autoscaling/scale.ts';
import { mostGrown, tooLarge } from '../registry/steps/weight.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { StructType, Structure } from '../schema/structure.ts';
import { compileDefaults, type Defaulter, fillWithin, TooManyDefaults } from './default.ts';
import type { DefinitionVersion } from './definition-shape.ts';
import { compilePruner } from './prune.ts';
import { scalePathsOf } from './scale.ts';
import { structureOf } from './structure.ts';
import { compileObjectValidator, type ObjectValidator } from './validation/validation.ts';

/** One version of a custom kind, compiled for use on objects of that version. */
export interface CompiledVersion {
  structure(metadata: Structure): StructType;
  /** Without the fields that the version does not know. The same reference when nothing goes. */
  prune(object: KubeObject): KubeObject;
  /**
   * With the defaults of the version, and without a null that is neither allowed nor replaced, unless it `keepsNulls`.
   * The same reference when nothing changes.
   * @throws 500 with them it would be larger than any object
   */
  fill(object: KubeObject, keepsNulls?: boolean): KubeObject;
  readonly validate: ObjectValidator;
  readonly scale: ScalePaths | undefined;
}

/** Defaults and pruning leave metadata alone, which is of no version. */
function aboutContent({ properties = {}, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'metadata')),
  };
}

function filled(fill: Defaulter, object: KubeObject): KubeObject {
  try {
    return fillWithin(mostGrown, fill, object as unknown as Json) as unknown as KubeObject;
  } catch (error) {
    throw error instanceof TooManyDefaults ? tooLarge(mostGrown) : error;
  }
}

export function compileVersion(version: DefinitionVersion): CompiledVersion {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const pruner = compilePruner(schema);
  const content = aboutContent(schema);
  const defaults = compileDefaults(content);
  const defaultsAlone = lazily(() => compileDefaults(content, true));
  const scale = scalePathsOf(version);
  const validator = lazily(() => compileObjectValidator(schema, scale));
  return {
    structure: (metadata) => structureOf(schema, metadata),
    prune: (object) => pruner(object as unknown as Json) as unknown as KubeObject,
    fill(object, keepsNulls) {
      const fill = keepsNulls ? defaultsAlone() : defaults;
      return fill ? filled(fill, object) : object;
    },
    validate: (...written) => validator()(...written),
    scale,
  };
}
