import type { CompiledVersion } from './compiled-version.ts';
import type { ConvertObject } from './conversion.ts';
import type { Definition, DefinitionVersion } from './definition-shape.ts';

/** A version of a definition, with what its parts need to know of the others. */
export interface VersionParts {
  readonly definition: Definition;
  readonly version: DefinitionVersion;
  readonly storage: DefinitionVersion;
  /** The newest version that is not deprecated. */
  readonly better: string | undefined;
  readonly convert: ConvertObject;
  /** Aborted once the definition says something else, or is gone. */
  readonly lasts: AbortSignal;
  compiled(version: string): CompiledVersion;
}
