# UEFORMAT_PY=FOLDER python3 tests/support/ueformatReference.py FILE…: contents of UEFormat files, as JSON, read by the parser of the public Blender add-on. FOLDER contains io_scene_ueformat.
import gzip
import json
import os
import sys
import types
from unittest.mock import MagicMock

import numpy

# The parser imports modules of Blender that it does not need to read files.
for name in ('bpy', 'bpy.types', 'mathutils'):
    sys.modules[name] = MagicMock()
package = types.ModuleType('io_scene_ueformat')
package.__path__ = [os.path.join(os.environ['UEFORMAT_PY'], 'io_scene_ueformat')]
sys.modules['io_scene_ueformat'] = package

from io_scene_ueformat.importer.classes import EUEFormatVersion, UEAnim, UEModel
from io_scene_ueformat.importer.reader import FArchiveReader


def plain(value):
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return float(value) if isinstance(value, numpy.floating) else value


def keys(some):
    return [{'frame': key.frame, 'value': plain(key.value)} for key in some]


def lod(one):
    return {
        'positions': plain(one.vertices),
        'normals': plain(one.normals),
        'uvs': plain(one.uvs),
        'indices': plain(one.indices.flatten()),
        'materials': [[each.material_name, each.first_index, each.num_faces] for each in one.materials],
        'weights': [[each.bone_index, each.vertex_index, each.weight] for each in one.weights],
        'morphs': [[each.name, [[delta.vertex_index, plain(delta.position)] for delta in each.deltas]] for each in one.morphs],
    }


def content(path):
    with open(path, 'rb') as file, FArchiveReader(file.read()) as ar:
        assert ar.read_string(8) == 'UEFORMAT'
        identifier = ar.read_fstring()
        ar.file_version = EUEFormatVersion(ar.read_byte()[0])
        ar.read_fstring()
        if ar.read_bool():
            assert ar.read_fstring() == 'GZIP'
            size = ar.read_int()
            assert ar.read_int() == ar.size - ar.data.tell()
            body = FArchiveReader(gzip.decompress(ar.read_to_end()))
            assert body.size == size
            body.file_version = ar.file_version
            ar = body
        ar.metadata['scale'] = 1
        if identifier == 'UEMODEL':
            model = UEModel.from_archive(ar)
            bones = model.skeleton.bones if model.skeleton else []
            return {
                'bones': [[bone.name, bone.parent_index, plain(bone.position), plain(bone.rotation)] for bone in bones],
                'lods': [lod(one) for one in model.lods],
            }
        anim = UEAnim.from_archive(ar)
        return {
            'frames': anim.metadata.num_frames,
            'rate': anim.metadata.frames_per_second,
            'tracks': [
                [track.name, keys(track.position_keys), keys(track.rotation_keys), keys(track.scale_keys)] for track in anim.tracks
            ],
            'curves': [[curve.name, keys(curve.keys)] for curve in anim.curves],
        }


print(json.dumps([content(path) for path in sys.argv[1:]]))
