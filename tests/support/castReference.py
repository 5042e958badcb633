# python3 tests/support/castReference.py CAST_PY FILE: what the reference reader of Cast (dtzxporter/cast, libraries/python/cast.py) finds in a file, as JSON.
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location('cast', sys.argv[1])
cast = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cast)


def bone(each):
    return {'name': each.Name(), 'parent': each.ParentIndex(), 'place': each.LocalPosition(), 'turn': each.LocalRotation()}


def mesh(each):
    material = each.Material()
    return {
        'name': each.Name(),
        'places': list(each.VertexPositionBuffer()),
        'faces': list(each.FaceBuffer()),
        'uvs': each.UVLayerCount(),
        'influences': each.MaximumWeightInfluence() or 0,
        'material': material.Name() if material else None,
    }


def curve(each):
    return {'node': each.NodeName(), 'of': each.KeyPropertyName(), 'mode': each.Mode(), 'frames': list(each.KeyFrameBuffer()), 'values': list(each.KeyValueBuffer())}


found = {'models': [], 'motions': []}
for root in cast.Cast.load(sys.argv[2]).Roots():
    for each in root.ChildrenOfType(cast.Model):
        skeleton = each.Skeleton()
        found['models'].append({'bones': [bone(one) for one in skeleton.Bones()] if skeleton else [], 'meshes': [mesh(one) for one in each.Meshes()]})
    for each in root.ChildrenOfType(cast.Animation):
        found['motions'].append({'name': each.Name(), 'rate': each.Framerate(), 'curves': [curve(one) for one in each.Curves()]})
print(json.dumps(found))
