// Options for writing PSK files.

/** Options of the target PSK. */
export interface UnrealWriting {
  /**
   * If true, a model without bones gets a bone `root` that moves all of its vertices. Unreal Engine
   * 3 requires at least one bone. The default is false.
   */
  rootBone?: boolean;
}
