/** Version and compression of UEFormat files. */
export interface UeformatWriting {
  /**
   * Writes version 10, which stores bone scales, the path of the asset and names of UV sets. The
   * add-ons for Blender and Unreal read only version 9, which is the default.
   */
  v10?: boolean;
  /** Compresses the files with GZIP. */
  gzip?: boolean;
}
